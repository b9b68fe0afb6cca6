import { type Static, Type } from 'typebox'
import { ChatContentType, Visibility } from './enums.ts'
import {
  about,
  dateTime,
  LongInteger,
  named,
  nullable,
  PageQuery,
  string,
  Uuid,
  uuid,
} from './envelope.ts'

export { CHAT_AUDIENCE, CHAT_STAMPS } from './chat-rules.ts'

const ChatFile = named(
  'ChatAttachment',
  Type.Object(
    {
      url: string('Signed URL of the file, made for this response. Valid for a short time.'),
      name: string('File name.'),
      mime: string('Media type.'),
      size: about(LongInteger, 'Size in bytes.'),
    },
    { description: 'The file of a chat message.' },
  ),
)

export const ChatMessageBody = named(
  'ChatMessage',
  Type.Object(
    {
      id: uuid('Id of the message, made by the client that sent it.'),
      visibility: Visibility,
      participant_id: nullable(
        Uuid,
        'Id of the sender. Null for messages of the service and on the simple route.',
      ),
      sender_name: string('Name of the sender at the time of sending.'),
      content_type: ChatContentType,
      text: nullable(
        Type.String(),
        'The text, the identifier of a stamp, or the caption of a file. Null for a file without a caption.',
      ),
      attachment: nullable(ChatFile, 'The file. Null unless `content_type` is `file`.'),
      created_at: dateTime('When the service accepted the message.'),
    },
    { description: 'A chat message.' },
  ),
)
export type ChatMessageBody = Static<typeof ChatMessageBody>

/** Query of `GET /rooms/{room_id}/chat-messages`. Without a visibility it lists all messages. */
export const ChatMessageQuery = Type.Object(
  {
    visibility: Type.Optional(about(Visibility, 'Only this visibility. All of them by default.')),
    ...PageQuery,
  },
  { additionalProperties: false },
)

/** Query of `DELETE /rooms/{room_id}/chat-messages`. Without a visibility it purges all messages. */
export const ChatPurgeQuery = Type.Object(
  {
    visibility: Type.Optional(
      about(Visibility, 'Delete messages of this visibility only. All of them by default.'),
    ),
  },
  { additionalProperties: false },
)

export const ChatStampBody = named(
  'ChatStamp',
  Type.Object(
    {
      visibility: Visibility,
      identifier: string('Send it as `text`. Unique within its visibility; the label is yours.'),
    },
    { description: 'A predefined reaction.' },
  ),
)
export type ChatStampBody = Static<typeof ChatStampBody>
