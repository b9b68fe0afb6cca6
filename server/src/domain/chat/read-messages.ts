import type { ChatMessageBody } from '@interview-room/contract/chat.ts'
import type { Deps } from '../../platform/ports/deps.ts'
import { presentMessage } from './present.ts'
import { signAttachments } from './sign-attachments.ts'
import { findMessages } from './store.ts'

/** The existing messages among these ids, in order, with signed addresses of their files. */
export async function readMessages(
  deps: Pick<Deps, 'db' | 'storage' | 'config'>,
  wanted: { roomId: string; ids: readonly string[] },
): Promise<ChatMessageBody[]> {
  const messages = await signAttachments(deps, await findMessages(deps.db, wanted))
  return messages.map(presentMessage)
}
