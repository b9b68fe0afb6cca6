import type { Deps } from '../../platform/ports/deps.ts'
import { type Attachment, type ChatMessage, dispositionOf } from './message.ts'

/** A message whose file, if any, has an address that is valid for a while. */
export type Readable<M extends Pick<ChatMessage, 'attachment'>> = Omit<M, 'attachment'> & {
  attachment: (Attachment & { url: string }) | null
}

/** Every read signs new addresses, so links that are passed on expire soon. */
export async function signAttachments<M extends Pick<ChatMessage, 'attachment'>>(
  deps: Pick<Deps, 'storage' | 'config'>,
  messages: readonly M[],
): Promise<Readable<M>[]> {
  return Promise.all(
    messages.map(async ({ attachment, ...message }) => ({
      ...message,
      attachment: attachment === null ? null : await signed(deps, attachment),
    })),
  )
}

async function signed(
  { storage, config }: Pick<Deps, 'storage' | 'config'>,
  attachment: Attachment,
): Promise<Attachment & { url: string }> {
  const disposition = dispositionOf(attachment)
  const { url } = await storage.signGet(attachment.key, {
    expiresInSec: config.chatAttachmentUrlSec,
    fileName: attachment.name,
    disposition,
    // S3 cannot send `nosniff`. A browser looks into a text for markup, but not into this type.
    mime: disposition === 'inline' ? attachment.mime : 'application/octet-stream',
  })
  return { ...attachment, url }
}
