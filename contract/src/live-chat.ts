import { type Static, Type } from 'typebox'
import { Visibility } from './enums.ts'
import { about, named, PageQuery, uuid, WITHOUT_NUL } from './envelope.ts'
import { ATTACHMENT_NAME_MAX, CHAT_TEXT_MAX } from './limits.ts'
import { SignedUrlBody } from './recordings.ts'
import { wordsOf } from './schema.ts'

const STRICT = { additionalProperties: false } as const

/** The types that people may send. Only the service writes `archive_status`. */
export const SENT_CONTENT_TYPES = ['text', 'stamp', 'file'] as const
export type SentContentType = (typeof SENT_CONTENT_TYPES)[number]

const SentContent = wordsOf('SentContentType', SENT_CONTENT_TYPES, {
  about: 'What the message contains.',
  text: 'Text. Requires `text`.',
  stamp: 'A predefined reaction. Requires its identifier as `text`.',
  file: 'A file. Requires `attachment_id`; `text` is an optional caption.',
})

/**
 * Body of `POST .../live/messages`. The client makes the `id`, and a repeated message is ignored. `text` is the text,
 * the identifier of a stamp, or the caption of a file.
 */
export const SendMessage = named(
  'SendMessage',
  Type.Object(
    {
      id: uuid('Id that you make for the message. Send the same id to repeat it safely.'),
      visibility: about(Visibility, 'Who receives it. Your role must be allowed to write there.'),
      content_type: SentContent,
      text: Type.Optional(
        // Line breaks are allowed; NUL is not.
        Type.String({
          minLength: 1,
          maxLength: CHAT_TEXT_MAX,
          pattern: WITHOUT_NUL,
          description: 'The text, the identifier of a stamp, or the caption of a file.',
        }),
      ),
      attachment_id: Type.Optional(
        uuid('Id of a file that you uploaded. Not allowed for text and stamps.'),
      ),
    },
    { ...STRICT, description: 'The message to send.' },
  ),
)
export type SendMessage = Static<typeof SendMessage>

/** Query of `GET .../live/messages`. The answer has the messages that the caller's role may read, newest first. */
export const HistoryQuery = Type.Object(PageQuery, STRICT)

/** Type and subtype, without parameters. */
export const MEDIA_TYPE = '^[\\w.+-]+/[\\w.+-]+$'

/** Body of `POST .../live/attachments`: reserves an upload that a message will name. */
export const AttachmentRequest = named(
  'AttachmentRequest',
  Type.Object(
    {
      name: Type.String({
        minLength: 1,
        maxLength: ATTACHMENT_NAME_MAX,
        pattern: WITHOUT_NUL,
        description: 'File name. Its extension decides which files are accepted.',
      }),
      mime: Type.String({
        minLength: 1,
        maxLength: 127,
        pattern: MEDIA_TYPE,
        description: 'Media type, such as `application/pdf`. Must agree with the extension.',
      }),
      /** 413 FILE_TOO_LARGE above `ATTACHMENT_MAX_BYTES`. */
      size: Type.Integer({ minimum: 1, description: 'Size in bytes, at most 20 MB.' }),
      visibility: about(Visibility, 'Who will receive the message with the file.'),
    },
    { ...STRICT, description: 'The file to upload.' },
  ),
)
export type AttachmentRequest = Static<typeof AttachmentRequest>

export const AttachmentBody = named(
  'Attachment',
  Type.Object(
    {
      id: uuid('Id of the upload. Send it as `attachment_id` of a message.'),
      upload: about(SignedUrlBody, 'Where to PUT the file.'),
    },
    { description: 'Where to upload a file.' },
  ),
)
export type AttachmentBody = Static<typeof AttachmentBody>
