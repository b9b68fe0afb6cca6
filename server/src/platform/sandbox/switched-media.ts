import type { Db } from '../db/db.ts'
import { isUuid } from '../lib/uuid.ts'
import type { Media, MediaRoomSpec } from '../ports/media.ts'
import { isSimulatedEgress } from './simulated-media.ts'
import { findIsSandbox, findIsSandboxRoom } from './store.ts'

/** Rooms and tenants that a process remembers: their tenant and its kind never change. */
const REMEMBERED_MAX = 10_000

/**
 * Sends the rooms of sandbox tenants to the simulated provider and all others, with what belongs to no tenant, to the
 * real one.
 */
export function createSwitchedMedia(
  db: Db,
  { real, simulated }: { real: Media; simulated: Media },
): Media {
  const sandboxes = rememberSandboxes(db)
  const isSandboxRoom = (name: string) => sandboxes.isSandboxRoom(name)
  const of = async (name: string) => ((await isSandboxRoom(name)) ? simulated : real)

  return {
    ensureRoom: async (spec) =>
      ((await sandboxes.isSandboxRoomOf(spec)) ? simulated : real).ensureRoom(spec),
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
    maskArrivals: async (room, signal) => (await of(room)).maskArrivals(room, signal),
    listen: async (room, hear, signal) => (await of(room)).listen(room, hear, signal),
    signToken: async (grant) => (await of(grant.mediaRoom)).signToken(grant),
    addressOf: async (room) => (await of(room)).addressOf(room),
    check: () => real.check(),
  }
}

function rememberSandboxes(db: Db) {
  const tenants = new Map<string, boolean>()
  const rooms = new Map<string, boolean>()

  async function isSandboxRoom(name: string): Promise<boolean> {
    // The doctor's media rooms have other names.
    if (!isUuid(name)) return false
    const find = async () => (await findIsSandboxRoom(db, name))?.isSandbox
    return (await recall(rooms, name, find)) === true
  }

  return {
    isSandboxRoom,
    /** The room may be new while its tenant is known. */
    async isSandboxRoomOf({ name, tenantId }: MediaRoomSpec): Promise<boolean> {
      if (tenantId === undefined) return isSandboxRoom(name)
      const find = () => recall(tenants, tenantId, () => findIsSandbox(db, tenantId))
      return (await recall(rooms, name, find)) === true
    },
  }
}

/** Nothing is remembered before it exists. */
async function recall(
  known: Map<string, boolean>,
  id: string,
  find: () => Promise<boolean | undefined>,
): Promise<boolean | undefined> {
  const remembered = known.get(id)
  if (remembered !== undefined) return remembered
  const found = await find()
  if (found === undefined) return undefined
  if (known.size >= REMEMBERED_MAX) known.clear()
  known.set(id, found)
  return found
}
