import { inTransaction } from '../../platform/db/db.ts'
import type { Job, JobRequest } from '../../platform/jobs/job.ts'
import type { Deps } from '../../platform/ports/deps.ts'
import type { MediaConnection } from '../../platform/ports/media.ts'
import { closeMissing, closeOpenEntries } from '../people/close-entries.ts'
import { isUnwanted, openEntry } from '../people/open-entry.ts'
import { compareRecorders } from '../recording/recordings/provider-reports.ts'
import { endWindow, giveNotice, isOverdue } from './end-window.ts'
import { type RoomOnWatch, readRoomsOnWatch } from './store.ts'

export const RECONCILE_ROOMS = 'reconcile-rooms'
/** Names in one ListRooms call, and the share of a pass that one worker takes. */
const ROOMS_PER_LIST = 100
/** Rooms that are compared at the same time. A room whose list hangs delays only its own lane. */
const ROOMS_SIDE_BY_SIDE = 4

export type ReconcileDeps = Pick<Deps, 'db' | 'media' | 'clock' | 'log'>

/** One request per hundred rooms. It replaces one for the same share that is still waiting. */
export function reconcileRoomsRequests(roomIds: readonly string[]): JobRequest[] {
  const requests: JobRequest[] = []
  for (let at = 0; at < roomIds.length; at += ROOMS_PER_LIST) {
    const share = roomIds.slice(at, at + ROOMS_PER_LIST)
    const key = String(requests.length)
    requests.push({ kind: RECONCILE_ROOMS, key, payload: { roomIds: share.join(' ') } })
  }
  return requests
}

/**
 * Compares a share of the rooms with the provider's lists. One call asks which rooms exist and how many people are inside.
 * The participants are listed only where somebody may be.
 */
export function reconcileRoomsJob(deps: ReconcileDeps): Job {
  const { db, media, clock } = deps
  return {
    kind: RECONCILE_ROOMS,
    async run({ payload, signal }) {
      const rooms = await readRoomsOnWatch(db, String(payload['roomIds']).split(' '))
      const askedAt = clock()
      const found = await media.listRooms(rooms.map(({ id }) => id))
      const counts = new Map(found.map(({ name, connectionCount }) => [name, connectionCount]))
      const waiting = rooms.values()
      const lanes = Array.from({ length: ROOMS_SIDE_BY_SIDE }, async () => {
        for (const room of waiting) {
          if (signal.aborted) return
          await reconcileOne(deps, room, askedAt, counts.get(room.id))
        }
      })
      await Promise.all(lanes)
      return { outcome: 'done' }
    },
  }
}

/**
 * One room must not keep the others from their turn; the next pass tries again. `connectionCount` is undefined for a
 * room that is missing in the provider's list.
 */
async function reconcileOne(
  deps: ReconcileDeps,
  room: RoomOnWatch,
  askedAt: Date,
  connectionCount: number | undefined,
): Promise<void> {
  try {
    const listedAt = deps.clock()
    const connections = await connectionsOf(deps, room, connectionCount)
    if (connections === undefined) {
      return await closeAll(deps, room, connectionCount === undefined ? askedAt : listedAt)
    }
    await openSeen(deps, room, { connections, listedAt })
    await reconcileRoom(deps, room, connections)
  } catch (error) {
    deps.log.error({ err: error, room: room.id }, 'attendance reconciliation failed')
  }
}

/**
 * Returns undefined when there is no media room. The provider's count leaves out hidden people, so their rooms are always
 * asked.
 */
async function connectionsOf(
  { media }: ReconcileDeps,
  room: RoomOnWatch,
  connectionCount: number | undefined,
): Promise<MediaConnection[] | undefined> {
  if (connectionCount === undefined) return undefined
  const mayHaveParticipants = connectionCount > 0 || room.hasOpenEntries || room.hasHiddenVisitors
  return mayHaveParticipants ? media.listConnections(room.id) : []
}

/** @param at when the provider was asked. People who came later are in a media room made since. */
async function closeAll(deps: ReconcileDeps, room: RoomOnWatch, at: Date): Promise<void> {
  if (room.hasOpenEntries) {
    await inTransaction(deps.db, (tx) => closeOpenEntries(tx, { roomId: room.id, at }))
  }
  if (!room.isReleased) await followWindow(deps, room, [])
}

const peopleOf = (connections: readonly MediaConnection[]) =>
  connections.filter(({ isPerson }) => isPerson)

async function openSeen(
  { db, media, clock }: ReconcileDeps,
  room: RoomOnWatch,
  { connections, listedAt }: { connections: readonly MediaConnection[]; listedAt: Date },
): Promise<void> {
  for (const { identity, sid, joinedAt, isActive, guest } of peopleOf(connections)) {
    const seen = {
      roomId: room.id,
      mediaIdentity: identity,
      mediaSid: sid,
      joinedAt,
      guest,
      listedAt,
    }
    // A connection without media has no entry but can hear the room, so remove it if it is unwanted.
    const isToGo = await inTransaction(db, async (tx) =>
      isActive
        ? (await openEntry(tx, seen, clock())) === 'unwanted'
        : isUnwanted(tx, seen, clock()),
    )
    if (isToGo && !room.isReleased) await media.removeConnection(room.id, identity)
  }
}

async function reconcileRoom(
  deps: ReconcileDeps,
  room: RoomOnWatch,
  connections: readonly MediaConnection[],
): Promise<void> {
  if (room.hasOpenEntries) {
    await closeMissing(deps, room.id, new Set(connections.map(({ sid }) => sid)))
  }

  const { id: roomId, tenantId, egressIds } = room
  await compareRecorders(deps, { roomId, tenantId, egressIds }, connections)

  if (room.isReleased) await deps.media.deleteRoom(room.id)
  else await followWindow(deps, room, peopleOf(connections))
}

/** Skip rooms without admissions: they have no open page. */
async function followWindow(
  deps: ReconcileDeps,
  room: RoomOnWatch,
  people: readonly MediaConnection[],
): Promise<void> {
  if (!room.hasVisitors && people.length === 0) return
  if (isOverdue(room, deps.clock())) await endWindow(deps, room, people)
  else await giveNotice(deps, room)
}
