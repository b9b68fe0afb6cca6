import { CAPABILITIES } from '@interview-room/contract/capabilities.ts'
import type { ChatMessageBody } from '@interview-room/contract/chat.ts'
import type { Deps } from '../../platform/ports/deps.ts'
import type { TicketHolder } from '../people/ticket.ts'
import { createStreamCursors } from '../room-log/stream-cursor.ts'
import { readableBy } from './new-message.ts'
import { findWithheld } from './observed-messages.ts'
import { presentMessage } from './present.ts'
import { signAttachments } from './sign-attachments.ts'
import { listNewest } from './store.ts'

type HistoryDeps = Pick<Deps, 'db' | 'paging' | 'storage' | 'config' | 'secretBox'>

interface HistoryPage {
  items: ChatMessageBody[]
  next_cursor: string | null
  has_more: boolean
}

/**
 * Reads earlier messages, newest first, limited to those that the role may read. The cursor is sealed: a plain one would
 * show a panelist how much is said behind the scenes.
 */
export function createHistory(deps: HistoryDeps) {
  const cursors = createStreamCursors(deps.secretBox)

  /** Throws 400 INVALID_REQUEST for a cursor of another list. */
  return async (
    holder: TicketHolder,
    query: { cursor?: string; limit?: number },
  ): Promise<HistoryPage> => {
    const { tenantId, roomId, role } = holder
    const visibilities = readableBy(role)
    const scope = { list: 'live-messages', tenantId, filters: { roomId, role } }
    return deps.paging.page(query, scope, {
      async rows({ after, limit }) {
        const before = after === undefined ? undefined : cursors.open(roomId, after)?.toString()
        const isSeen = CAPABILITIES[role].isVisible
        const withheld = isSeen ? undefined : await findWithheld(deps.db, roomId)
        const page = { roomId, visibilities, withheld, after: before, limit }
        return signAttachments(deps, await listNewest(deps.db, page))
      },
      positionOf: (message) => cursors.seal(roomId, message.seq),
      present: presentMessage,
    })
  }
}
