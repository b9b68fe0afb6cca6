import type { SendMessage } from '@interview-room/contract/live-chat.ts'
import { commitTogether, inTransaction, type Tx, together } from '../../platform/db/db.ts'
import { refuseField, ServiceError } from '../../platform/lib/service-error.ts'
import type { Deps } from '../../platform/ports/deps.ts'
import { certainlyAdmitted, checkStillAdmitted, shareRoomAsParticipant } from '../people/admit.ts'
import { refuseUnlessTakingPart } from '../people/find-consent.ts'
import { personOf } from '../people/in-flight.ts'
import { refuseWhileWaiting } from '../people/rate-limit-error.ts'
import type { RateRefusals } from '../people/rate-refusals.ts'
import { reserveSlotInRoom } from '../room-log/room-lock.ts'
import { findUpload, type Upload } from './attachment-store.ts'
import { findEarlier } from './find-earlier.ts'
import { claimFrozen, type Frozen, notUploaded, withFrozen } from './freeze-upload.ts'
import { queueBehind, queueInRoomBehind } from './limit-rate.ts'
import type { ChatMessage } from './message.ts'
import { receiversOf, refusalOf, type OutgoingMessage, type Sent } from './new-message.ts'
import { findWaitSec, insertAdmittedMessage, insertMessage } from './store.ts'

export interface SendDeps extends Pick<Deps, 'db' | 'clock' | 'storage' | 'config'> {
  refusals: RateRefusals
}

/**
 * Sends a message once, however often it is repeated.
 *
 * Throws the refusals of admission; 400 INVALID_REQUEST, 422 VALIDATION_ERROR or 422 INVALID_STAMP for a message that this
 * role or person may not send; 422 IDEMPOTENCY_KEY_CONFLICT when the id belongs to another message; 429
 * RATE_LIMIT_EXCEEDED; for files 409 UPLOAD_NOT_FOUND, 413 FILE_TOO_LARGE and 422 UNSUPPORTED_FILE_TYPE.
 */
export async function sendMessage(deps: SendDeps, sending: OutgoingMessage): Promise<Sent> {
  const { holder, body } = sending
  const { attachment_id: fileId } = body
  // Files have a limit of their own. A sender who has reached it may still send texts.
  const sender = `${personOf(holder)} ${fileId === undefined ? 'texts' : 'files'}`
  const isWaiting = deps.refusals.waitSecOf(sender) !== undefined
  const refusal = refusalOf(holder.role, body)
  // A write checks admission in its transaction. Every other refusal comes after the check here.
  if (isWaiting || refusal !== undefined || fileId !== undefined) {
    await checkStillAdmitted(deps, holder)
  }
  if (refusal !== undefined) throw refusal
  if (fileId !== undefined || isWaiting) {
    const earlier = await findEarlier(deps.db, sending)
    if (earlier !== undefined) return earlier
  }
  return deps.refusals.unlessWaiting(sender, () =>
    fileId === undefined ? sendText(deps, sending) : sendFile(deps, sending, fileId),
  )
}

/** Sends in one round trip if no check fails. Otherwise the checks run again one by one, in the order of the refusals. */
async function sendText(deps: SendDeps, sending: OutgoingMessage): Promise<Sent> {
  return (await writeCertain(deps, sending)) ?? write(deps, sending)
}

async function writeCertain(deps: SendDeps, sending: OutgoingMessage): Promise<Sent | undefined> {
  const { holder } = sending
  const { participantId } = holder
  // Visitors of the simple route take the long way.
  if (participantId === null) return undefined
  return inTransaction(deps.db, async (tx) => {
    reserveSlotInRoom(tx, holder.roomId)
    const message = messageOf(sending)
    const [, place] = await commitTogether(tx, [
      queueInRoomBehind(tx, holder),
      insertAdmittedMessage(tx, message, {
        ...sourceOf(sending),
        admitted: certainlyAdmitted(tx, { ...holder, participantId }, deps.clock()),
        limit: { perMin: deps.config.chat.messagesPerMin },
      }),
    ])
    return place && { message: { ...message, ...place }, isNew: true }
  })
}

/** Sends a text in a transaction that has locked the room. Throws 422 VALIDATION_ERROR if this role may not send it. */
export async function sendTextIn(tx: Tx, sending: OutgoingMessage): Promise<void> {
  const refusal = refusalOf(sending.holder.role, sending.body)
  if (refusal !== undefined) throw refusal
  await insertMessage(tx, messageOf(sending), sourceOf(sending))
}

async function sendFile(deps: SendDeps, sending: OutgoingMessage, id: string): Promise<Sent> {
  const { holder, body } = sending
  try {
    const upload = refuseUpload(await findUpload(deps.db, { ...holder, id }), body)
    return await withFrozen(deps, upload, (frozen) => write(deps, sending, frozen))
  } catch (error) {
    // A first request that was still running may have sent the message and used the upload.
    const isGone = error instanceof ServiceError && error.code === 'UPLOAD_NOT_FOUND'
    const earlier = isGone ? await findEarlier(deps.db, sending) : undefined
    if (earlier === undefined) throw error
    return earlier
  }
}

function refuseUpload(upload: Upload | undefined, { visibility }: SendMessage): Upload {
  if (upload === undefined) throw notUploaded()
  if (upload.visibility === visibility) return upload
  throw refuseField('VALIDATION_ERROR', {
    field: 'visibility',
    code: 'NOT_ALLOWED',
    message: `must be ${upload.visibility}, for which the file was uploaded`,
  })
}

async function write(deps: SendDeps, sending: OutgoingMessage, frozen?: Frozen): Promise<Sent> {
  const { clock, config } = deps
  const { holder, body } = sending
  const texts = { perMin: config.chat.messagesPerMin }
  const files = { contentType: 'file', perMin: config.chat.filesPerMin } as const
  return inTransaction(deps.db, async (tx) => {
    reserveSlotInRoom(tx, holder.roomId)
    const [, , earlier, waitSec, filesWaitSec] = await together([
      // The shared lock keeps a close, a ban or a purge from happening in between.
      shareRoomAsParticipant({ db: tx, clock }, holder),
      queueBehind(tx, holder),
      findEarlier(tx, sending),
      findWaitSec(tx, holder, texts),
      frozen === undefined ? Promise.resolve(undefined) : findWaitSec(tx, holder, files),
    ])
    if (earlier !== undefined) return earlier
    await refuseUnlessTakingPart(tx, holder)
    refuseWhileWaiting(waitSec)
    refuseWhileWaiting(filesWaitSec)
    if (frozen !== undefined) await claimFrozen(tx, frozen, body.id)
    return { message: await insert(tx, { ...sending, frozen }), isNew: true }
  })
}

async function insert(
  tx: Tx,
  sending: OutgoingMessage & { frozen: Frozen | undefined },
): Promise<ChatMessage> {
  const message = messageOf(sending)
  const inserting = insertMessage(tx, message, sourceOf(sending))
  // A file was claimed before. The claim is rolled back if the message cannot be written.
  const [place] =
    sending.frozen === undefined ? await commitTogether(tx, [inserting]) : [await inserting]
  // Another sender has just used this id.
  if (place === undefined) throw new ServiceError('IDEMPOTENCY_KEY_CONFLICT')
  return { ...message, ...place }
}

function messageOf({
  holder,
  body,
  frozen,
}: OutgoingMessage & { frozen?: Frozen | undefined }): Omit<ChatMessage, 'seq' | 'createdAt'> {
  return {
    id: body.id.toLowerCase(),
    visibility: body.visibility,
    participantId: holder.participantId,
    senderName: holder.displayName,
    contentType: body.content_type,
    text: body.text ?? null,
    attachment: frozen?.file ?? null,
  }
}

function sourceOf({ holder, body }: OutgoingMessage) {
  const attachmentId = body.attachment_id ?? null
  return { ...holder, attachmentId, receivers: receiversOf(body.visibility) }
}
