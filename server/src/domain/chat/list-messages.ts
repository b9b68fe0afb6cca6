import type { Deps } from '../../platform/ports/deps.ts'
import { signAttachments } from './sign-attachments.ts'
import * as store from './store.ts'

/** A page of all messages in a room, with signed addresses of the attachments. */
export async function listMessages(
  deps: Pick<Deps, 'db' | 'storage' | 'config'>,
  page: store.MessageList,
) {
  return signAttachments(deps, await store.listMessages(deps.db, page))
}
