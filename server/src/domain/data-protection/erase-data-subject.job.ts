import { inTransaction } from '../../platform/db/db.ts'
import type { Job, JobRun } from '../../platform/jobs/job.ts'
import { eachOrThrow } from '../../platform/lib/each-alone.ts'
import type { Deps } from '../../platform/ports/deps.ts'
import { deleteWithChunks } from '../../platform/storage/delete-objects.job.ts'
import { eraseFromRoom, type ErasingDeps } from './erase-from-room.ts'
import { ERASE_KIND } from './erase-request.ts'
import { findErasure, lockErasure, markBlocked, markDone, markWaiting } from './erasure-store.ts'
import {
  type DataSubject,
  type Erasure,
  remainsOf,
  type RoomOfPerson,
  sortRooms,
} from './erasure.ts'
import { signReceipt } from './receipt.ts'
import { listRoomsOf } from './subject-store.ts'

const OBJECTS_AT_ONCE = 1000
/** Pause after the first, second, ... failure; the last one holds for all that follow. */
const RETRY_AFTER_SEC = [1, 5, 30, 300, 3600]

export type EraseDeps = ErasingDeps & Pick<Deps, 'config' | 'storage' | 'serviceKeys'>

/**
 * Erases a person room by room, each in a transaction of its own that notes what went: a job that dies
 * continues where it was, and a room that fails holds up no other. It is done when the objects are gone, too.
 */
export function eraseDataSubjectJob(deps: EraseDeps): Job {
  return {
    kind: ERASE_KIND,
    retryAfterSec: (failures) => RETRY_AFTER_SEC[failures - 1] ?? RETRY_AFTER_SEC.at(-1),
    async run({ key, signal }) {
      const erasure = await findErasure(deps.db, key)
      if (erasure === undefined || erasure.state === 'done') return { outcome: 'done' }
      const { waitsUntil, held } = await eraseRooms(deps, erasure, signal)
      if (signal.aborted) return { outcome: 'again', at: deps.clock() }
      if (waitsUntil !== undefined) {
        await markWaiting(deps.db, erasure.id, waitsUntil)
        return { outcome: 'again', at: waitsUntil }
      }
      await removeObjects(deps, erasure.id)
      return finish(deps, erasure, held)
    },
  }
}

interface Left {
  held: RoomOfPerson[]
  waitsUntil: Date | undefined
}

/** Answers what is left: rooms that are held, and when another one may be over. */
async function eraseRooms(
  deps: ErasingDeps,
  erasure: Erasure & DataSubject,
  signal: JobRun['signal'],
): Promise<Left> {
  const { toErase } = sortRooms(await listRoomsOf(deps.db, erasure), deps.clock())
  await eachOrThrow(toErase, async (room) => {
    if (!signal.aborted) await eraseFromRoom(deps, erasure, room)
  })
  await inTransaction(deps.db, (tx) => deps.forgetAnswers(tx, { ...erasure, texts: [] }))
  // A hold, or another visit, may have come meanwhile.
  const left = sortRooms(await listRoomsOf(deps.db, erasure), deps.clock())
  const isMore = left.toErase.length > 0
  return { held: left.held, waitsUntil: isMore ? deps.clock() : left.waitsUntil }
}

/** Jobs of the rooms remove them as well. Here, it is known when they are gone. */
async function removeObjects({ db, storage }: EraseDeps, id: string): Promise<void> {
  const { objectKeys = [] } = (await findErasure(db, id)) ?? {}
  for (let at = 0; at < objectKeys.length; at += OBJECTS_AT_ONCE) {
    await deleteWithChunks(storage, objectKeys.slice(at, at + OBJECTS_AT_ONCE))
  }
}

async function finish(
  deps: EraseDeps,
  { id }: Erasure,
  held: readonly RoomOfPerson[],
): Promise<{ outcome: 'done' }> {
  await inTransaction(deps.db, async (tx) => {
    const erasure = await lockErasure(tx, id)
    if (erasure === undefined || erasure.state === 'done') return
    const { removed, keptRooms } = erasure
    const remains = remainsOf(held, keptRooms)
    const state = held.length > 0 ? 'blocked' : 'done'
    const receipt = await signReceipt(deps, erasure, { state, removed, remains })
    if (state === 'blocked') await markBlocked(tx, { id, remains, receipt })
    else await markDone(tx, { id, remains, receipt, at: deps.clock() })
  })
  return { outcome: 'done' }
}
