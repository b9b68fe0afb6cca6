import { type Static, Type } from 'typebox'
import { freeText, oneOf, text, Uuid } from './envelope.ts'
import { CLOSE_REASON_MAX, RECORDING_LENGTH_MAX_SEC } from './limits.ts'
import type { Role } from './vocabulary.ts'

const STRICT = { additionalProperties: false } as const
const NOTE_MAX = 255

/** Facts that one person may send in any minute. */
export const POSTED_EVENTS_PER_MINUTE = 60

/** Body of `POST .../live/handouts/{handout_id}/playback`: the moderator moved the video. */
export const Playback = Type.Object(
  {
    position_sec: Type.Number({ minimum: 0, maximum: RECORDING_LENGTH_MAX_SEC }),
    is_playing: Type.Boolean(),
  },
  STRICT,
)
export type Playback = Static<typeof Playback>

/** Optional body of `POST .../live/close`. */
export const CloseFromInside = Type.Object(
  { reason: Type.Optional(freeText(CLOSE_REASON_MAX, 0)) },
  STRICT,
)

export const ClosedBody = Type.Object({ status: oneOf(['closed'] as const) })
export type ClosedBody = Static<typeof ClosedBody>

/** Answer of `POST .../live/participants/{participant_id}/mute`. */
export const MuteBody = Type.Object({
  participant_id: Uuid,
  status: oneOf(['mute_requested'] as const),
})
export type MuteBody = Static<typeof MuteBody>

/** What people in a room note or tell; which roles may, is in `POSTED_EVENT_AUDIENCE`. */
export const POSTED_EVENT_TYPES = [
  'marker',
  'help.requested',
  'hand.raised',
  'hand.lowered',
  'consent.given',
  'consent.declined',
  'consent.withdrawn',
] as const
export type PostedEventType = (typeof POSTED_EVENT_TYPES)[number]

/** Body of `POST .../live/events`. A marker may carry a `note` of one line. */
export const NewPostedEvent = Type.Object(
  {
    event_type: oneOf(POSTED_EVENT_TYPES),
    payload: Type.Optional(Type.Object({ note: Type.Optional(text(NOTE_MAX)) }, STRICT)),
  },
  STRICT,
)
export type NewPostedEvent = Static<typeof NewPostedEvent>

/** Who may send a fact, and who is told of it. Nobody of the others learns that it happened. */
export const POSTED_EVENT_AUDIENCE = {
  marker: {
    senders: ['moderator', 'observer', 'platform_observer'],
    receivers: ['moderator', 'observer', 'platform_observer'],
  },
  'help.requested': {
    senders: ['moderator', 'panelist', 'observer'],
    receivers: ['moderator', 'platform_observer'],
  },
  'hand.raised': {
    senders: ['panelist'],
    receivers: ['moderator', 'panelist', 'observer', 'platform_observer'],
  },
  'hand.lowered': {
    senders: ['panelist'],
    receivers: ['moderator', 'panelist', 'observer', 'platform_observer'],
  },
  'consent.given': {
    senders: ['moderator', 'panelist'],
    receivers: ['moderator', 'observer', 'platform_observer'],
  },
  'consent.declined': {
    senders: ['moderator', 'panelist'],
    receivers: ['moderator', 'observer', 'platform_observer'],
  },
  'consent.withdrawn': {
    senders: ['moderator', 'panelist'],
    receivers: ['moderator', 'observer', 'platform_observer'],
  },
} as const satisfies Record<
  PostedEventType,
  { senders: readonly Role[]; receivers: readonly Role[] }
>
