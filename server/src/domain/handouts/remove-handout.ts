import { inTransaction } from '../../platform/db/db.ts'
import { ServiceError } from '../../platform/lib/service-error.ts'
import type { Deps } from '../../platform/ports/deps.ts'
import { lockHandout, refusePresented } from './lock-handout.ts'
import { publishHandoutList } from './publish-handout-list.ts'
import { releaseHandoutFile } from './release-handout-file.job.ts'
import { deleteHandout, type HandoutKey, wasDeleted } from './store.ts'

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
    await deleteHandout(tx, handout, clock())
    await releaseHandoutFile(tx, handout.storageKey)
    await publishHandoutList(tx, handout)
  })
}
