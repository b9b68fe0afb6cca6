import { type Query, together } from '../../platform/db/db.ts'
import { ServiceError } from '../../platform/lib/service-error.ts'
import type { SentMessage } from './message.ts'
import type { OutgoingMessage, Sent } from './new-message.ts'
import { findSent, findTombstone } from './store.ts'

/**
 * The first answer to a repeated message. Returns undefined for a new id. If the message was purged meanwhile, the answer
 * has neither text nor file.
 *
 * Throws 422 IDEMPOTENCY_KEY_CONFLICT when the id belongs to other content or another sender. The error reveals neither.
 */
export async function findEarlier(
  query: Query,
  sending: OutgoingMessage,
): Promise<Sent | undefined> {
  const { holder, body } = sending
  const key = { roomId: holder.roomId, id: body.id }
  const [sent, tombstone] = await together([findSent(query, key), findTombstone(query, key)])
  if (sent !== undefined) {
    if (isRepeat(sent, sending)) return { message: sent, isNew: false }
    throw new ServiceError('IDEMPOTENCY_KEY_CONFLICT')
  }
  if (tombstone === undefined) return undefined
  if (tombstone.mediaIdentity !== holder.mediaIdentity) {
    throw new ServiceError('IDEMPOTENCY_KEY_CONFLICT')
  }
  return { message: emptied(sending, tombstone.purgedAt), isNew: false }
}

function isRepeat(sent: SentMessage, { holder, body }: OutgoingMessage): boolean {
  return (
    sent.mediaIdentity === holder.mediaIdentity &&
    sent.visibility === body.visibility &&
    sent.contentType === body.content_type &&
    sent.text === (body.text ?? null) &&
    sent.attachmentId === (body.attachment_id?.toLowerCase() ?? null)
  )
}

function emptied({ holder, body }: OutgoingMessage, purgedAt: Date): Sent['message'] {
  return {
    id: body.id.toLowerCase(),
    visibility: body.visibility,
    participantId: holder.participantId,
    senderName: holder.displayName,
    contentType: body.content_type,
    text: null,
    attachment: null,
    createdAt: purgedAt,
  }
}
