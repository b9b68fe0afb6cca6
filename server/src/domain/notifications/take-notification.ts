import { type Db, inTransaction } from '../../platform/db/db.ts'
import { enqueue } from '../../platform/jobs/enqueue.ts'
import { applyNotificationsRequest } from './apply-notifications.job.ts'
import type { NotificationEnvelope } from './notification.ts'
import { insertNotification } from './store.ts'

/** Puts a notification into the inbox, once, and asks for the job that applies it. */
export async function takeNotification(
  db: Db,
  notification: NotificationEnvelope & { body: string },
): Promise<void> {
  const { mediaRoom } = notification
  await inTransaction(db, async (tx) => {
    const isNew = await insertNotification(tx, notification)
    if (isNew && mediaRoom !== null) await enqueue(tx, applyNotificationsRequest(mediaRoom))
  })
}
