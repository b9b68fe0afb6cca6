import type { ChatMessageBody } from '@interview-room/contract/chat.ts'
import type { ChatMessage } from './message.ts'
import type { Readable } from './sign-attachments.ts'

export function presentMessage(message: Readable<Omit<ChatMessage, 'seq'>>): ChatMessageBody {
  const { attachment } = message
  return {
    id: message.id,
    visibility: message.visibility,
    participant_id: message.participantId,
    sender_name: message.senderName,
    content_type: message.contentType,
    text: message.text,
    attachment:
      attachment === null
        ? null
        : {
            url: attachment.url,
            name: attachment.name,
            mime: attachment.mime,
            size: attachment.sizeBytes,
          },
    created_at: message.createdAt.toISOString(),
  }
}
