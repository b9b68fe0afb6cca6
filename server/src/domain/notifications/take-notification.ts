import { commitTogether, type Db, inTransaction, type Tx, together } from '../../platform/db/db.ts'
import { enqueue } from '../../platform/jobs/enqueue.ts'
import { applyNotificationsRequest } from './apply-notifications.job.ts'
import { type NotificationEnvelope, readEnvelope } from './notification.ts'
import { insertNotification } from './store.ts'

/**
 * Puts a notification into the inbox, once, and enqueues the job that applies it. For a repeat the job finds nothing to do.
 */
export async function takeNotification(
  db: Db,
  notification: NotificationEnvelope & { body: string },
): Promise<void> {
  await inTransaction(db, (tx) => commitTogether(tx, storing(tx, notification)))
}

/** The same for the simulated provider, in the transaction of its change. */
export async function takeSimulated(tx: Tx, body: string): Promise<void> {
  const envelope = readEnvelope(body)
  if (envelope === undefined) throw new Error('a simulated notification that cannot be read')
  await together(storing(tx, { ...envelope, body }))
}

function storing(tx: Tx, notification: NotificationEnvelope & { body: string }): Promise<void>[] {
  const { mediaRoom } = notification
  const inserting = insertNotification(tx, notification)
  if (mediaRoom === null) return [inserting]
  return [inserting, enqueue(tx, applyNotificationsRequest(mediaRoom))]
}
