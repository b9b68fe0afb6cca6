import { randomUUID } from 'node:crypto'
import { ATTACHMENT_MAX_BYTES } from '@interview-room/contract/limits.ts'
import type { AttachmentRequest } from '@interview-room/contract/live-chat.ts'
import { inTransaction } from '../../platform/db/db.ts'
import { refuseField } from '../../platform/lib/service-error.ts'
import type { Deps } from '../../platform/ports/deps.ts'
import type { SignedUrl } from '../../platform/ports/storage.ts'
import { cleanFileName } from '../handouts/file-name.ts'
import { refuseContent } from '../handouts/watch-file.ts'
import { shareRoomAsParticipant } from '../people/admit.ts'
import { refuseUnlessTakingPart } from '../people/find-consent.ts'
import { refuseWhileWaiting } from '../people/rate-limit-error.ts'
import type { TicketHolder } from '../people/ticket.ts'
import { isCalled, kindOfName } from './attachment-kind.ts'
import { findUploadWaitSec, insertUpload } from './attachment-store.ts'
import { queueBehind } from './limit-rate.ts'
import { refuseAudience } from './new-message.ts'

const UPLOAD_URL_LIFE_SEC = 15 * 60

/**
 * Creates an upload that a message of the same sender may then name.
 *
 * Throws the refusals of admission, 422 VALIDATION_ERROR where the role or person may not write, 413 FILE_TOO_LARGE, 422
 * UNSUPPORTED_FILE_TYPE, 429 RATE_LIMIT_EXCEEDED.
 */
export async function createUpload(
  deps: Pick<Deps, 'db' | 'clock' | 'storage' | 'config'>,
  holder: TicketHolder,
  wanted: AttachmentRequest,
): Promise<{ id: string; upload: SignedUrl }> {
  const { db, clock, storage, config } = deps
  refuseAudience(holder.role, wanted.visibility)
  const file = refuseFile(wanted, config.chat.attachmentTypes)

  const id = randomUUID()
  const { roomId, tenantId, mediaIdentity } = holder
  const uploadKey = `${tenantId}/attachments/${id}`
  await inTransaction(db, async (tx) => {
    await shareRoomAsParticipant({ db: tx, clock }, holder)
    await refuseUnlessTakingPart(tx, holder)
    await queueBehind(tx, holder)
    refuseWhileWaiting(await findUploadWaitSec(tx, holder, config.chat.filesPerMin))
    const { visibility } = wanted
    await insertUpload(tx, { id, roomId, mediaIdentity, visibility, uploadKey, ...file })
  })
  const upload = await storage.signPut(uploadKey, {
    expiresInSec: UPLOAD_URL_LIFE_SEC,
    maxBytes: wanted.size,
  })
  return { id, upload }
}

function refuseFile(
  { name: given, mime, size }: AttachmentRequest,
  allowed: Deps['config']['chat']['attachmentTypes'],
): { name: string; mime: string } {
  if (size > ATTACHMENT_MAX_BYTES) {
    throw refuseField('FILE_TOO_LARGE', {
      field: 'size',
      code: 'TOO_LARGE',
      message: `must be at most ${ATTACHMENT_MAX_BYTES} bytes`,
    })
  }
  const name = cleanFileName(given)
  const kind = kindOfName(name, allowed)
  if (kind === undefined) {
    throw refuseField('UNSUPPORTED_FILE_TYPE', {
      field: 'name',
      code: 'UNSUPPORTED_EXTENSION',
      message: `must end with one of ${allowed.map((each) => `.${each}`).join(', ')}`,
    })
  }
  if (!isCalled(kind, mime)) throw refuseContent('mime')
  return { name, mime: kind.mime }
}
