import { type Static, Type } from 'typebox'
import { oneOf, PageQuery, Uuid, WITHOUT_NUL } from './envelope.ts'
import { ATTACHMENT_NAME_MAX, CHAT_TEXT_MAX } from './limits.ts'
import { SignedUrlBody } from './recordings.ts'
import { VISIBILITIES } from './vocabulary.ts'

const STRICT = { additionalProperties: false } as const

/** What people send; `archive_status` is written by the service only. */
export const SENT_CONTENT_TYPES = ['text', 'stamp', 'file'] as const
export type SentContentType = (typeof SENT_CONTENT_TYPES)[number]

/**
 * Body of `POST .../live/messages`. `id` is made by the client: a repeat of the same message is
 * absorbed. `text` is the text, the identifier of a stamp, or the caption of a file.
 */
export const SendMessage = Type.Object(
  {
    id: Uuid,
    visibility: oneOf(VISIBILITIES),
    content_type: oneOf(SENT_CONTENT_TYPES),
    text: Type.Optional(
      // Line breaks are welcome; NUL is not.
      Type.String({ minLength: 1, maxLength: CHAT_TEXT_MAX, pattern: WITHOUT_NUL }),
    ),
    attachment_id: Type.Optional(Uuid),
  },
  STRICT,
)
export type SendMessage = Static<typeof SendMessage>

/** Query of `GET .../live/messages`: what the caller's role may read, newest first. */
export const HistoryQuery = Type.Object(PageQuery, STRICT)

/** Body of `POST .../live/attachments`: a place to put a file that a message will name. */
export const NewAttachment = Type.Object(
  {
    name: Type.String({ minLength: 1, maxLength: ATTACHMENT_NAME_MAX, pattern: WITHOUT_NUL }),
    mime: Type.String({ minLength: 1, maxLength: 127, pattern: '^[\\w.+-]+/[\\w.+-]+$' }),
    /** In bytes; 413 FILE_TOO_LARGE above `ATTACHMENT_MAX_BYTES`. */
    size: Type.Integer({ minimum: 1 }),
    visibility: oneOf(VISIBILITIES),
  },
  STRICT,
)
export type NewAttachment = Static<typeof NewAttachment>

export const AttachmentBody = Type.Object({ id: Uuid, upload: SignedUrlBody })
export type AttachmentBody = Static<typeof AttachmentBody>
