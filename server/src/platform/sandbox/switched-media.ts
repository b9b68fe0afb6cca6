import type { Db } from '../db/db.ts'
import { isUuid } from '../lib/uuid.ts'
import type { Media } from '../ports/media.ts'
import { isSimulatedEgress } from './simulated-media.ts'
import { findIsSandboxRoom } from './store.ts'

/** Rooms remembered by a process: whose they are never changes. */
const REMEMBERED_MAX = 10_000

interface Providers {
  /** For real tenants, and for what belongs to none. */
  real: Media
  /** For sandbox tenants. */
  simulated: Media
}

/**
 * The media provider of each room: the real one never hears of a sandbox tenant's rooms, the simulated
 * one never of others.
 */
export function createSwitchedMedia(db: Db, { real, simulated }: Providers): Media {
  const isSandboxRoom = rememberRooms(db)
  const of = async (name: string) => ((await isSandboxRoom(name)) ? simulated : real)

  return {
    ensureRoom: async (spec) => (await of(spec.name)).ensureRoom(spec),
    deleteRoom: async (name) => (await of(name)).deleteRoom(name),
    async listRooms(names) {
      const areSandboxes = await Promise.all(names.map((name) => isSandboxRoom(name)))
      const [theirs, ours] = [true, false].map((isOfSandbox) =>
        names.filter((_, at) => areSandboxes[at] === isOfSandbox),
      )
      const lists = await Promise.all([
        theirs?.length ? simulated.listRooms(theirs) : [],
        ours?.length ? real.listRooms(ours) : [],
      ])
      return lists.flat()
    },
    listConnections: async (room) => (await of(room)).listConnections(room),
    removeConnection: async (room, identity) => (await of(room)).removeConnection(room, identity),
    muteMicrophone: async (room, identity) => (await of(room)).muteMicrophone(room, identity),
    updateRights: async (room, whose) => (await of(room)).updateRights(room, whose),
    recordersInTurn: async (room) => (await of(room)).recordersInTurn(room),
    startEgress: async (spec) => (await of(spec.mediaRoom)).startEgress(spec),
    stopEgress: (egress) =>
      (isSimulatedEgress(egress.egressId) ? simulated : real).stopEgress(egress),
    listEgress: async (room, recorders) => (await of(room)).listEgress(room, recorders),
    listRunning: (recorder) => real.listRunning(recorder),
    isReachable: (recorder) => real.isReachable(recorder),
    signToken: async (grant) => (await of(grant.mediaRoom)).signToken(grant),
    addressOf: async (room) => (await of(room)).addressOf(room),
    check: () => real.check(),
  }
}

function rememberRooms(db: Db): (name: string) => Promise<boolean> {
  const remembered = new Map<string, boolean>()
  return async (name) => {
    // The doctor's media rooms are named otherwise.
    if (!isUuid(name)) return false
    const known = remembered.get(name)
    if (known !== undefined) return known
    const found = await findIsSandboxRoom(db, name)
    if (found === undefined) return false
    if (remembered.size >= REMEMBERED_MAX) remembered.clear()
    remembered.set(name, found.isSandbox)
    return found.isSandbox
  }
}
