import { type Static, Type } from 'typebox'
import { DateTime, nullable, oneOf, PageQuery, Uuid } from './envelope.ts'
import { CHAT_CONTENT_TYPES, VISIBILITIES } from './vocabulary.ts'

export { CHAT_AUDIENCE, CHAT_STAMPS } from './chat-rules.ts'

export const ChatMessageBody = Type.Object({
  id: Uuid,
  visibility: oneOf(VISIBILITIES),
  participant_id: nullable(Uuid),
  sender_name: Type.String(),
  content_type: oneOf(CHAT_CONTENT_TYPES),
  text: nullable(Type.String()),
  attachment: nullable(
    Type.Object({
      url: Type.String(),
      name: Type.String(),
      mime: Type.String(),
      size: Type.Integer(),
    }),
  ),
  created_at: DateTime,
})
export type ChatMessageBody = Static<typeof ChatMessageBody>

const VisibilityFilter = { visibility: Type.Optional(oneOf(VISIBILITIES)) }

/** Query of `GET /rooms/{room_id}/chat-messages`; without a visibility it lists all of them. */
export const ChatMessageQuery = Type.Object(
  { ...VisibilityFilter, ...PageQuery },
  { additionalProperties: false },
)

/** Query of `DELETE /rooms/{room_id}/chat-messages`; without a visibility it purges all of them. */
export const ChatPurgeQuery = Type.Object(VisibilityFilter, { additionalProperties: false })

export const ChatStampBody = Type.Object({
  visibility: oneOf(VISIBILITIES),
  identifier: Type.String(),
})
export type ChatStampBody = Static<typeof ChatStampBody>
