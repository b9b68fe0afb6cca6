import type { Tx } from '../../platform/db/db.ts'
import { enqueue } from '../../platform/jobs/enqueue.ts'
import { deleteObjectsRequest } from '../../platform/storage/delete-objects.job.ts'
import { deleteMessagesOf, type ErasedMessages } from './erasure-store.ts'

const OBJECTS_PER_JOB = 1000

/** Deletes everything that a person sent in a locked room. Jobs delete the objects. */
export async function eraseMessages(
  tx: Tx,
  sender: { roomId: string; identities: readonly string[] },
): Promise<ErasedMessages> {
  const erased = await deleteMessagesOf(tx, sender)
  for (let at = 0; at < erased.objectKeys.length; at += OBJECTS_PER_JOB) {
    await enqueue(tx, deleteObjectsRequest(erased.objectKeys.slice(at, at + OBJECTS_PER_JOB)))
  }
  return erased
}
