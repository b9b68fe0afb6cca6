import { type Query, together } from '../../../platform/db/db.ts'
import type { Deps } from '../../../platform/ports/deps.ts'
import { findOpenConsents } from '../../people/find-consent.ts'
import type { RoomKey } from '../../room-log/room-lock.ts'
import type { RecordingState } from './recording-plan.ts'
import {
  findLastRecording,
  findRecordedRoom,
  findRunning,
  listRecordedPeople,
  type RecordedPerson,
} from './running-store.ts'
import { listSegments } from './segment-store.ts'

/**
 * Reads everything that the reconciler decides on from the database, except the published tracks. Returns undefined while
 * the room is only an intention.
 */
export async function readCaptureEvents(
  query: Query,
  { roomId }: Pick<RoomKey, 'roomId'>,
  now: Date,
): Promise<RecordingState | undefined> {
  const [room, running, consents] = await together([
    findRecordedRoom(query, roomId),
    findRunning(query, roomId),
    findOpenConsents(query, roomId),
  ])
  if (room === undefined) return undefined
  if (running !== undefined) {
    return {
      room,
      running,
      last: undefined,
      segments: await listSegments(query, running.id),
      consents,
    }
  }
  const last = await findLastRecording(query, roomId, now)
  return { room, running, last, segments: [], consents }
}

/** People who could be recorded. `publishers` have a published track. */
export interface Recordable {
  all: RecordedPerson[]
  publishers: RecordedPerson[]
}

/** Moderators and panelists in the media room now. Throws `MediaError`. */
export async function findRecordable(
  { db, media }: Pick<Deps, 'db' | 'media'>,
  roomId: string,
): Promise<Recordable> {
  const people = ((await media.listConnections(roomId)) ?? []).filter(
    ({ isPerson, isActive }) => isPerson && isActive,
  )
  const identities = people.map(({ identity }) => identity)
  const all = await listRecordedPeople(db, { roomId, identities })
  const publishing = new Set(people.flatMap((each) => (each.isPublishing ? each.identity : [])))
  const publishers = all.filter(({ mediaIdentity }) => publishing.has(mediaIdentity))
  return { all, publishers }
}
