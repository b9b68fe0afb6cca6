import { type Static, Type } from 'typebox'
import { DateTime, nullable, oneOf, PageQuery, Uuid } from './envelope.ts'
import { CHAT_CONTENT_TYPES, type Role, VISIBILITIES, type Visibility } from './vocabulary.ts'

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

/** Who may send and who receives what ("Chat" of the decisions). The service writes public too. */
export const CHAT_AUDIENCE = {
  public: {
    senders: ['moderator', 'panelist', 'platform_observer'],
    receivers: ['moderator', 'panelist', 'observer', 'platform_observer'],
  },
  private: {
    senders: ['moderator', 'observer', 'platform_observer'],
    receivers: ['moderator', 'observer', 'platform_observer'],
  },
  observer_only: {
    senders: ['observer', 'platform_observer'],
    receivers: ['observer', 'platform_observer'],
  },
} as const satisfies Record<Visibility, { senders: readonly Role[]; receivers: readonly Role[] }>

interface StampSet {
  visibility: Visibility
  roles: readonly Role[]
  identifiers: readonly string[]
}

/** The stamp table of the contract; identifiers are unique within a visibility. */
export const CHAT_STAMPS: readonly StampSet[] = [
  {
    visibility: 'private',
    roles: ['moderator'],
    identifiers: ['ok', 'ask_later', 'anything_else'],
  },
  {
    visibility: 'private',
    roles: ['platform_observer'],
    identifiers: ['guide', 'call', 'please_wait', 'reload'],
  },
  {
    visibility: 'observer_only',
    roles: ['observer', 'platform_observer'],
    identifiers: ['nice', 'ok', 'i_see', 'a_lot'],
  },
  {
    visibility: 'public',
    roles: ['platform_observer'],
    identifiers: ['please_reload', 'calling'],
  },
]
