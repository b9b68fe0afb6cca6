import type { SendMessage } from '@interview-room/contract/live-chat.ts'
import { inTransaction, type Tx } from '../db/db.ts'
import type { Deps } from '../deps.ts'
import { refuseField, ServiceError } from '../lib/service-error.ts'
import { personOf } from '../live/in-flight.ts'
import type { RateRefusals } from '../live/rate-refusals.ts'
import { refuseWhileWaiting } from '../live/refuse-haste.ts'
import { tellRoom } from '../live-stream/tell-room.ts'
import { shareRoomInside } from '../participants/admit.ts'
import { nextRoomMoment } from '../rooms/room-clock.ts'
import type { HeldRoom } from '../rooms/room-lock.ts'
import { findUpload, type Upload } from './attachment-store.ts'
import { findEarlier } from './find-earlier.ts'
import { claimFrozen, type Frozen, notUploaded, withFrozen } from './freeze-upload.ts'
import { queueBehind } from './limit-rate.ts'
import type { ChatMessage } from './message.ts'
import { receiversOf, refuseUnsendable, type Sending, type Sent } from './new-message.ts'
import { findWaitSec, insertMessage } from './store.ts'

export interface SendDeps extends Pick<Deps, 'db' | 'clock' | 'storage' | 'config'> {
  refusals: RateRefusals
}

/**
 * Sends a message once, whatever is repeated.
 *
 * Throws what the gate refuses with meanwhile; 400 INVALID_REQUEST, 422 VALIDATION_ERROR or 422 INVALID_STAMP
 * for what this role does not send; 422 IDEMPOTENCY_KEY_CONFLICT when the id stands for another
 * message; 429 RATE_LIMIT_EXCEEDED; of files 409 UPLOAD_NOT_FOUND, 413 FILE_TOO_LARGE and
 * 422 UNSUPPORTED_FILE_TYPE.
 */
export async function sendMessage(deps: SendDeps, sending: Sending): Promise<Sent> {
  const { holder, body } = sending
  refuseUnsendable(holder.role, body)
  const { attachment_id: fileId } = body
  // Files have a limit of their own: behind it, texts can still be sent.
  const sender = `${personOf(holder)} ${fileId === undefined ? 'texts' : 'files'}`
  if (fileId !== undefined || deps.refusals.waitSecOf(sender) !== undefined) {
    const earlier = await findEarlier(deps.db, sending)
    if (earlier !== undefined) return earlier
  }
  return deps.refusals.unlessWaiting(sender, () =>
    fileId === undefined ? write(deps, sending) : sendFile(deps, sending, fileId),
  )
}

async function sendFile(deps: SendDeps, sending: Sending, id: string): Promise<Sent> {
  const { holder, body } = sending
  const upload = refuseUpload(await findUpload(deps.db, { ...holder, id }), body)
  return withFrozen(deps, upload, (frozen) => write(deps, sending, frozen))
}

function refuseUpload(upload: Upload | undefined, { visibility }: SendMessage): Upload {
  if (upload === undefined) throw notUploaded()
  if (upload.visibility === visibility) return upload
  throw refuseField('VALIDATION_ERROR', {
    field: 'visibility',
    code: 'NOT_ALLOWED',
    message: 'is not the one that the file was uploaded for',
  })
}

async function write(deps: SendDeps, sending: Sending, frozen?: Frozen): Promise<Sent> {
  const { clock, config } = deps
  const { holder, body } = sending
  return inTransaction(deps.db, async (tx) => {
    // Shares the room: neither close, ban nor purge can come in between.
    const held = await shareRoomInside({ db: tx, clock }, holder)
    await queueBehind(tx, holder)
    const earlier = await findEarlier(tx, sending)
    if (earlier !== undefined) return earlier

    refuseWhileWaiting(await findWaitSec(tx, holder, { perMin: config.chat.messagesPerMin }))
    if (frozen !== undefined) {
      const files = { contentType: 'file', perMin: config.chat.filesPerMin } as const
      refuseWhileWaiting(await findWaitSec(tx, holder, files))
      await claimFrozen(tx, frozen, body.id)
    }
    return { message: await insert(tx, held, { ...sending, frozen }), isNew: true }
  })
}

async function insert(
  tx: Tx,
  held: HeldRoom,
  { holder, body, frozen }: Sending & { frozen: Frozen | undefined },
): Promise<ChatMessage> {
  const { seq, at } = await nextRoomMoment(tx, held)
  const message: ChatMessage = {
    id: body.id.toLowerCase(),
    seq,
    visibility: body.visibility,
    participantId: holder.participantId,
    senderName: holder.displayName,
    contentType: body.content_type,
    text: body.text ?? null,
    attachment: frozen?.file ?? null,
    createdAt: at,
  }
  const attachmentId = body.attachment_id ?? null
  if (!(await insertMessage(tx, message, { ...holder, attachmentId }))) {
    // Somebody else took the id this moment.
    throw new ServiceError('IDEMPOTENCY_KEY_CONFLICT')
  }
  await tellRoom(tx, held, {
    name: 'message',
    roles: receiversOf(body.visibility),
    messageId: message.id,
  })
  return message
}
