import { inTransaction, type Tx } from '../../platform/db/db.ts'
import { ServiceError } from '../../platform/lib/service-error.ts'
import type { Deps } from '../../platform/ports/deps.ts'
import type { LockedRoom } from '../room-log/room-lock.ts'
import { type Handout, keysOf } from './handout.ts'
import { lockHandout, refusePresented } from './lock-handout.ts'
import { publishHandoutList } from './publish-handout-list.ts'
import { releaseHandoutFile } from './release-handout-file.job.ts'
import { deleteHandout, type HandoutKey, listHandoutsOfRoom, wasDeleted } from './store.ts'

/** Removes a handout and its file; a repeat changes nothing. Throws 404 NOT_FOUND, 409 HANDOUT_IN_USE. */
export async function removeHandout(
  { db, clock }: Pick<Deps, 'db' | 'clock'>,
  key: HandoutKey,
): Promise<void> {
  await inTransaction(db, async (tx) => {
    const handout = await lockHandout(tx, key)
    if (handout === undefined) {
      if (await wasDeleted(tx, key)) return
      throw new ServiceError('NOT_FOUND')
    }
    await refusePresented(tx, handout)
    await remove(tx, handout, clock())
    await publishHandoutList(tx, handout)
  })
}

/** Removes all handouts of a locked room that has ended, with their files. */
export async function removeHandoutsOf(tx: Tx, locked: LockedRoom, now: Date): Promise<void> {
  for (const handout of await listHandoutsOfRoom(tx, locked.roomId)) await remove(tx, handout, now)
  await publishHandoutList(tx, locked)
}

async function remove(tx: Tx, handout: Handout, now: Date): Promise<void> {
  await deleteHandout(tx, handout, now)
  for (const key of keysOf(handout)) await releaseHandoutFile(tx, key)
}
