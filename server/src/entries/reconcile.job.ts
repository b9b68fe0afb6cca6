import { inTransaction } from '../db/db.ts'
import type { Deps } from '../deps.ts'
import { type RepeatingJob, repeatingJob } from '../jobs/repeating-job.ts'
import type { MediaConnection } from '../media/media.ts'
import { closeEntry, closeOpenEntries } from './close-entries.ts'
import { endWindow, giveNotice, isOverdue } from './end-window.ts'
import { isUnwanted, openEntry } from './open-entry.ts'
import { listOpenEntries, listWatchedRooms, markMissed, type WatchedRoom } from './store.ts'

const ROOMS_PER_LIST = 50

type ReconcileDeps = Pick<Deps, 'db' | 'media' | 'clock' | 'config' | 'log'>

/** Compares attendance with the provider's lists: notifications are hints, the lists are the truth. */
export function reconcileJob(deps: ReconcileDeps): RepeatingJob {
  const { db, clock, config } = deps
  return repeatingJob({
    kind: 'reconcile-attendance',
    everySec: config.reconcileEverySec,
    clock,
    async run({ signal }) {
      const rooms = await listWatchedRooms(db, clock())
      for (let at = 0; at < rooms.length && !signal.aborted; at += ROOMS_PER_LIST) {
        await reconcileRooms(deps, rooms.slice(at, at + ROOMS_PER_LIST))
      }
      return 'done'
    },
  })
}

async function reconcileRooms(deps: ReconcileDeps, rooms: readonly WatchedRoom[]): Promise<void> {
  const { media, log } = deps
  const alive = new Set((await media.listRooms(rooms.map(({ id }) => id))).map(({ name }) => name))
  for (const room of rooms) {
    const connections = alive.has(room.id) ? await media.listConnections(room.id) : undefined
    try {
      if (connections === undefined) await closeAll(deps, room)
      else await reconcileRoom(deps, room, connections)
    } catch (error) {
      // One room must not keep the others from their turn; the next run tries again.
      log.error({ err: error, room: room.id }, 'attendance of a room could not be reconciled')
    }
  }
}

async function closeAll(deps: ReconcileDeps, room: WatchedRoom): Promise<void> {
  const { db, clock } = deps
  if ((await listOpenEntries(db, room.id)).length > 0) {
    await inTransaction(db, (tx) => closeOpenEntries(tx, { roomId: room.id, at: clock() }))
  }
  if (room.isReleased) return
  if (isOverdue(room, clock())) await endWindow(deps, room, [])
  else await giveNotice(deps, room)
}

async function reconcileRoom(
  deps: ReconcileDeps,
  room: WatchedRoom,
  connections: readonly MediaConnection[],
): Promise<void> {
  const { db, media, clock } = deps
  const people = connections.filter(({ isPerson }) => isPerson)
  for (const { identity, sid, joinedAt, isActive } of people) {
    const seen = { roomId: room.id, mediaIdentity: identity, mediaSid: sid, joinedAt }
    // Whose media is not up is not inside, but hears who is: nobody may stay like that.
    const isToGo = await inTransaction(db, async (tx) =>
      isActive ? (await openEntry(tx, seen, clock())) === 'unwanted' : isUnwanted(tx, seen),
    )
    if (isToGo && !room.isReleased) await media.removeConnection(room.id, identity)
  }
  await closeMissing(deps, room.id, new Set(connections.map(({ sid }) => sid)))

  if (room.isReleased) await media.deleteRoom(room.id)
  else if (isOverdue(room, clock())) await endWindow(deps, room, people)
  else await giveNotice(deps, room)
}

/** Missing twice in a row is gone, since the first time: a list may be a moment behind. */
async function closeMissing(
  { db, clock }: ReconcileDeps,
  roomId: string,
  present: ReadonlySet<string>,
): Promise<void> {
  for (const { mediaSid, missedAt } of await listOpenEntries(db, roomId)) {
    const isPresent = present.has(mediaSid)
    if (isPresent && missedAt !== null) await markMissed(db, { roomId, mediaSid, at: null })
    if (isPresent) continue
    if (missedAt === null) await markMissed(db, { roomId, mediaSid, at: clock() })
    else await inTransaction(db, (tx) => closeEntry(tx, { roomId, mediaSid, at: missedAt }))
  }
}
