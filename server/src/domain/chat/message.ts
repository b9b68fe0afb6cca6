import type { ChatContentType, Visibility } from '@interview-room/contract/vocabulary.ts'

export interface ChatMessage {
  id: string
  seq: bigint
  visibility: Visibility
  /** Null for the service's own messages and for visitors of the simple route. */
  participantId: string | null
  senderName: string
  contentType: ChatContentType
  text: string | null
  /** Set only for messages of content type `file`. */
  attachment: Attachment | null
  createdAt: Date
}

/** A message with the fields that identify a repeat of it. */
export interface SentMessage extends ChatMessage {
  /** Null for the service's own messages. */
  mediaIdentity: string | null
  attachmentId: string | null
}

export interface Attachment {
  /** Key of the object in the storage; never published. */
  key: string
  name: string
  mime: string
  sizeBytes: number
}

/** Raster images contain no scripts. A browser saves every other type instead of opening it. */
const SHOWN_IN_PLACE = new Set(['image/png', 'image/jpeg', 'image/gif', 'image/webp', 'image/bmp'])

export function dispositionOf({ mime }: Pick<Attachment, 'mime'>): 'inline' | 'attachment' {
  return SHOWN_IN_PLACE.has(mime.toLowerCase()) ? 'inline' : 'attachment'
}
