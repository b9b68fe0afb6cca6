import path from 'node:path'
import { readPrivateJson, writePrivateJson } from '../lib/private-file.ts'

const KEPT_MAX = 20

/** Ids of the rooms booked in the playground, newest first. */
export interface BookedRooms {
  ids(): readonly string[]
  add(id: string): void
}

export function openBookedRooms(dataDir: string): BookedRooms {
  const file = path.join(dataDir, 'playground-rooms.json')
  let ids = readPrivateJson<string[]>(file) ?? []
  return {
    ids: () => ids,
    add(id) {
      ids = [id, ...ids].slice(0, KEPT_MAX)
      writePrivateJson(file, ids)
    },
  }
}
