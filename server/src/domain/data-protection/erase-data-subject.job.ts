import { inTransaction, type Query } from '../../platform/db/db.ts'
import type { Job, JobOutcome, JobRun } from '../../platform/jobs/job.ts'
import { eachOrThrow } from '../../platform/lib/each-alone.ts'
import type { Deps } from '../../platform/ports/deps.ts'
import { deleteWithChunks } from '../../platform/storage/delete-objects.job.ts'
import { lockHolds } from '../booking/lock-holds.ts'
import { eraseFromRoom, type ErasingDeps } from './erase-from-room.ts'
import { ERASE_KIND } from './erase-request.ts'
import { findErasure, lockErasure, markBlocked, markDone, markWaiting } from './erasure-store.ts'
import {
  type DataSubject,
  type Erasure,
  type Look,
  remainsOf,
  type RoomOfPerson,
  sortRooms,
} from './erasure.ts'
import { signReceipt } from './receipt.ts'
import { listRoomsOf } from './subject-store.ts'

const OBJECTS_AT_ONCE = 1000
/** Pause between checks while the erasure waits: a room may be closed, or its slot moved, before the expected time. */
const LOOK_AGAIN_MS = 60_000
/** Pause after the first, second, ... failure. The last value holds for all that follow. */
const RETRY_AFTER_SEC = [1, 5, 30, 300, 3600]

export type EraseDeps = ErasingDeps & Pick<Deps, 'config' | 'storage' | 'serviceKeys'>

/**
 * Erases a person room by room. Each room has a transaction of its own that records the removed data. A job that dies
 * continues where it stopped, and a failing room does not delay the others. The erasure is done once the objects are
 * deleted, too.
 */
export function eraseDataSubjectJob(deps: EraseDeps): Job {
  return {
    kind: ERASE_KIND,
    retryAfterSec: (failures) => RETRY_AFTER_SEC[failures - 1] ?? RETRY_AFTER_SEC.at(-1),
    async run({ key, signal }) {
      const erasure = await findErasure(deps.db, key)
      if (erasure === undefined || erasure.state === 'done') return { outcome: 'done' }
      await eraseRooms(deps, erasure, signal)
      if (signal.aborted) return { outcome: 'again', at: deps.clock() }
      const { waitsUntil } = await findRest(deps, deps.db, erasure)
      if (waitsUntil !== undefined) return wait(deps, erasure, waitsUntil)
      await removeObjects(deps, erasure.id)
      return finish(deps, erasure)
    },
  }
}

async function eraseRooms(
  deps: ErasingDeps,
  erasure: Erasure & DataSubject,
  signal: JobRun['signal'],
): Promise<void> {
  const { toErase } = sortRooms(await listRoomsOf(deps.db, erasure), lookOf(deps, erasure))
  await eachOrThrow(toErase, async (room) => {
    if (!signal.aborted) await eraseFromRoom(deps, erasure, room)
  })
  await inTransaction(deps.db, (tx) => deps.forgetAnswers(tx, { ...erasure, texts: [] }))
}

interface Rest {
  held: RoomOfPerson[]
  /** The time when another room may be over; undefined when all are erased or held. */
  waitsUntil: Date | undefined
}

/** Lists the rooms again: a hold or another visit may have been added meanwhile. */
async function findRest(
  deps: Pick<Deps, 'clock'>,
  query: Query,
  erasure: Erasure & DataSubject,
): Promise<Rest> {
  const rooms = await listRoomsOf(query, erasure)
  const { held, toErase, waitsUntil } = sortRooms(rooms, lookOf(deps, erasure))
  return { held, waitsUntil: toErase.length > 0 ? deps.clock() : waitsUntil }
}

const lookOf = ({ clock }: Pick<Deps, 'clock'>, { recordings }: Erasure): Look => ({
  now: clock(),
  recordings,
})

async function wait(
  { db, clock }: Pick<Deps, 'db' | 'clock'>,
  { id }: Erasure,
  waitsUntil: Date,
): Promise<JobOutcome> {
  await markWaiting(db, id, waitsUntil)
  const lookAt = clock().getTime() + LOOK_AGAIN_MS
  return { outcome: 'again', at: new Date(Math.min(waitsUntil.getTime(), lookAt)) }
}

/** The jobs of the rooms delete these objects as well. Deleting them here shows when they are gone. */
async function removeObjects({ db, storage }: EraseDeps, id: string): Promise<void> {
  const { objectKeys = [] } = (await findErasure(db, id)) ?? {}
  for (let at = 0; at < objectKeys.length; at += OBJECTS_AT_ONCE) {
    await deleteWithChunks(storage, objectKeys.slice(at, at + OBJECTS_AT_ONCE))
  }
}

/**
 * Takes the lock of the requests that this erasure may answer, so that all data present at the time of such a request is
 * erased. Then takes the lock of the holds: releasing one looks for the erasures it has blocked.
 */
async function finish(deps: EraseDeps, { id, tenantId }: Erasure): Promise<JobOutcome> {
  return inTransaction(deps.db, async (tx) => {
    await lockHolds(tx, tenantId, 'shared')
    const erasure = await lockErasure(tx, id)
    if (erasure === undefined || erasure.state === 'done') return { outcome: 'done' }
    const { held, waitsUntil } = await findRest(deps, tx, erasure)
    if (waitsUntil !== undefined) return { outcome: 'again', at: deps.clock() }
    const { removed, keptRooms } = erasure
    const remains = remainsOf(held, keptRooms)
    const state = held.length > 0 ? 'blocked' : 'done'
    const receipt = await signReceipt(deps, erasure, { state, removed, remains })
    if (state === 'blocked') await markBlocked(tx, { id, remains, receipt })
    else await markDone(tx, { id, remains, receipt, at: deps.clock() })
    return { outcome: 'done' }
  })
}
