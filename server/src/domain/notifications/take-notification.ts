import { type Db, inTransaction, type Tx } from '../../platform/db/db.ts'
import { enqueue } from '../../platform/jobs/enqueue.ts'
import { applyNotificationsRequest } from './apply-notifications.job.ts'
import { type NotificationEnvelope, readEnvelope } from './notification.ts'
import { insertNotification } from './store.ts'

/** Puts a notification into the inbox, once, and asks for the job that applies it. */
export async function takeNotification(
  db: Db,
  notification: NotificationEnvelope & { body: string },
): Promise<void> {
  await inTransaction(db, (tx) => storeNotification(tx, notification))
}

/** The same of the simulated provider, in the transaction of its change. */
export async function takeSimulated(tx: Tx, body: string): Promise<void> {
  const envelope = readEnvelope(body)
  if (envelope === undefined) throw new Error('a simulated notification that cannot be read')
  await storeNotification(tx, { ...envelope, body })
}

async function storeNotification(
  tx: Tx,
  notification: NotificationEnvelope & { body: string },
): Promise<void> {
  const { mediaRoom } = notification
  const isNew = await insertNotification(tx, notification)
  if (isNew && mediaRoom !== null) await enqueue(tx, applyNotificationsRequest(mediaRoom))
}
