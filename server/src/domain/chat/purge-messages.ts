import { ROLES, type Visibility } from '@interview-room/contract/vocabulary.ts'
import type { Tx } from '../../platform/db/db.ts'
import { enqueue } from '../../platform/jobs/enqueue.ts'
import { deleteObjectsRequest } from '../../platform/storage/delete-objects.job.ts'
import { lockRoom } from '../booking/lock-room.ts'
import { appendRoomEvent } from '../room-log/append-room-event.ts'
import { publishLiveEvent } from '../room-log/publish-live-event.ts'
import { receiversOf } from './new-message.ts'
import { deleteMessages } from './store.ts'

const OBJECTS_PER_JOB = 1000

export interface Purge {
  tenantId: string
  roomId: string
  /** Undefined for all messages of the room. */
  visibility: Visibility | undefined
  /** Id of the API key that requested the purge. */
  requester: string
}

/**
 * Deletes the messages in scope for good. Senders share the room's lock, so that a message is either purged or sent after
 * the purge. The room's log records the request even if no message was deleted. Throws 404 NOT_FOUND.
 */
export async function purgeMessages(tx: Tx, purge: Purge): Promise<void> {
  const locked = await lockRoom(tx, purge)
  const { count, attachmentKeys } = await deleteMessages(tx, purge)
  for (let at = 0; at < attachmentKeys.length; at += OBJECTS_PER_JOB) {
    await enqueue(tx, deleteObjectsRequest(attachmentKeys.slice(at, at + OBJECTS_PER_JOB)))
  }
  const { requester, visibility } = purge
  await appendRoomEvent(tx, {
    ...locked,
    eventType: 'chat.purged',
    payload: { count, requester, ...(visibility === undefined ? {} : { visibility }) },
  })
  await publishLiveEvent(tx, locked, {
    name: 'messages_purged',
    roles: visibility === undefined ? ROLES : receiversOf(visibility),
    payload: { visibility: visibility ?? null },
  })
}
