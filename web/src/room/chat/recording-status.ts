import type { ChatMessageBody } from '@interview-room/contract/chat.ts'

type Said = Pick<ChatMessageBody, 'id' | 'content_type' | 'text'>

/**
 * The shown status of each message about the recording, by message id. When a recording continues the service writes
 * `started` again, and after a pause this is shown as `resumed`.
 */
export function recordingStatuses(messages: readonly Said[]): ReadonlyMap<string, string> {
  const statuses = new Map<string, string>()
  let before: string | null = null
  for (const { id, content_type: kind, text } of messages) {
    if (kind !== 'archive_status' || text === null) continue
    statuses.set(id, text === 'started' && before === 'paused' ? 'resumed' : text)
    before = text
  }
  return statuses
}
