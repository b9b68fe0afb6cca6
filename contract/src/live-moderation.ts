import { type Static, Type } from 'typebox'
import { oneOf, text } from './envelope.ts'
import { CLOSE_REASON_MAX, RECORDING_LENGTH_MAX_SEC } from './limits.ts'

const STRICT = { additionalProperties: false } as const

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
  { reason: Type.Optional(text(CLOSE_REASON_MAX)) },
  STRICT,
)

/** What people in a room note or tell; which roles may, is in `FACT_SENDERS`. */
export const FACT_TYPES = [
  'marker',
  'help.requested',
  'hand.raised',
  'hand.lowered',
  'consent.given',
  'consent.declined',
] as const
export type FactType = (typeof FACT_TYPES)[number]

/** Body of `POST .../live/events`. A marker may carry a `note` of one line. */
export const NewFact = Type.Object(
  {
    type: oneOf(FACT_TYPES),
    payload: Type.Optional(Type.Object({ note: Type.Optional(text(255)) }, STRICT)),
  },
  STRICT,
)
export type NewFact = Static<typeof NewFact>

/** Who may send a fact, and who is told of it. Nobody of the others learns that it happened. */
export const FACT_AUDIENCE = {
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
} as const satisfies Record<FactType, { senders: readonly string[]; receivers: readonly string[] }>
