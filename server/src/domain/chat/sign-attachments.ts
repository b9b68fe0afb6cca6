import type { Deps } from '../../platform/ports/deps.ts'
import { type Attachment, type ChatMessage, dispositionOf } from './message.ts'

/** A message as it may be shown: its file, if it has one, can be fetched for a while. */
export type Readable<M extends Pick<ChatMessage, 'attachment'>> = Omit<M, 'attachment'> & {
  attachment: (Attachment & { url: string }) | null
}

/** A fresh URL for every file, at every read: links that were passed on die soon. */
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
  const { url } = await storage.signGet(attachment.key, {
    expiresInSec: config.chatAttachmentUrlSec,
    fileName: attachment.name,
    disposition: dispositionOf(attachment),
    mime: attachment.mime,
  })
  return { ...attachment, url }
}
