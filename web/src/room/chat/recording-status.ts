import type { ChatMessageBody } from '@interview-room/contract/chat.ts'

type Said = Pick<ChatMessageBody, 'id' | 'content_type' | 'text'>

/**
 * What each message about the recording says, by its id: the service writes `started` again when a recording continues,
 * which reads as `resumed` after a pause.
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
