import { type Static, Type } from 'typebox'
import { LastConnectionTest } from './connection-tests.ts'
import { DateTime, nullable, oneOf, Uuid } from './envelope.ts'
import { ARCHIVE_MODES, RECORDING_STATUSES, ROLES, SESSION_STATUSES } from './vocabulary.ts'

/** A link to the board opens it for so long; in hours. */
export const BOARD_LINK_HOURS = { min: 1, fallback: 12, max: 24 } as const
/** The board shows rooms that can be entered now, or within this time; in seconds. */
export const BOARD_AHEAD_SEC = 3 * 60 * 60
/** It shows no more rooms than these, the ones that start first. */
export const BOARD_ROOMS_MAX = 300
/** A pass into a room ends after this, and never later than the link of the board; in seconds. */
export const BOARD_ENTRY_TOKEN_LIFE_SEC = 2 * 60 * 60

/** A line as the page of its owner sees it. */
export const CONNECTION_QUALITIES = ['good', 'fair', 'poor', 'lost'] as const
export type ConnectionQuality = (typeof CONNECTION_QUALITIES)[number]
/** What a page waits between two reports of its line at least; in seconds. */
export const QUALITY_REPORT_EVERY_SEC = 5

/** Body of `POST .../live/line`. */
export const ConnectionQualityReport = Type.Object(
  { quality: oneOf(CONNECTION_QUALITIES) },
  { additionalProperties: false },
)

/** What calls for an operator, the most urgent first. */
export const ALARM_CODES = [
  'HELP_REQUESTED',
  'RESPONDENT_MISSING',
  'RECORDING_NOT_ACTIVE',
  'MODERATOR_MISSING',
  'POOR_LINE',
] as const
export type AlarmCode = (typeof ALARM_CODES)[number]

export const BoardAlarm = Type.Object({
  code: oneOf(ALARM_CODES),
  /** Since when it has been so; an alarm may come some time later. */
  since: DateTime,
  /** Whom it is about, when it is about one person. */
  display_name: nullable(Type.String()),
})
export type BoardAlarm = Static<typeof BoardAlarm>

/** Somebody who is in the room now. */
export const BoardPerson = Type.Object({
  identity: Type.String(),
  participant_id: nullable(Uuid),
  role: oneOf(ROLES),
  display_name: Type.String(),
  in_since: DateTime,
  /** Null before the page has said anything of it. */
  line: nullable(oneOf(CONNECTION_QUALITIES)),
  /** The newest result of the person's connection tests. */
  last_test: nullable(LastConnectionTest),
})
export type BoardPerson = Static<typeof BoardPerson>

/** A call for help that nobody has answered. */
const HelpRequest = Type.Object({
  display_name: Type.String(),
  note: nullable(Type.String()),
  requested_at: DateTime,
})

export const BoardRoom = Type.Object({
  id: Uuid,
  session: Type.Object({
    name: nullable(Type.String()),
    external_type: Type.String(),
    external_id: Type.String(),
    starts_at: DateTime,
    ends_at: DateTime,
    status: oneOf(SESSION_STATUSES),
  }),
  people: Type.Array(BoardPerson),
  recording: Type.Object({
    archive_mode: oneOf(ARCHIVE_MODES),
    /** Of the newest Recording; null without one. */
    status: nullable(oneOf(RECORDING_STATUSES)),
  }),
  presentation: nullable(Type.Object({ handout_id: Uuid, file_name: Type.String() })),
  help_requests: Type.Array(HelpRequest),
  /** The most urgent first. */
  alarms: Type.Array(BoardAlarm),
  provider_inspector_url: nullable(Type.String()),
})
export type BoardRoom = Static<typeof BoardRoom>

/** The rooms of a tenant at a glance, in the order of their start. */
export const BoardBody = Type.Object({
  now: DateTime,
  /** When the link that opened the board ends. */
  expires_at: DateTime,
  operator: Type.Object({ display_name: Type.String() }),
  rooms: Type.Array(BoardRoom),
  /** More rooms are on than are shown. */
  has_more: Type.Boolean(),
})
export type BoardBody = Static<typeof BoardBody>

/** The events of `GET /board/stream`: the whole board, then what changed in it. */
export const BOARD_EVENTS = {
  board: BoardBody,
  rooms: Type.Object({
    now: DateTime,
    changed: Type.Array(BoardRoom),
    /** Ids of the rooms that are not shown any more. */
    gone: Type.Array(Uuid),
    has_more: Type.Boolean(),
  }),
}
export type BoardEvents = { [K in keyof typeof BOARD_EVENTS]: Static<(typeof BOARD_EVENTS)[K]> }

/** Answer of `POST /board/rooms/{room_id}/pass`: where the operator enters the room. */
export const BoardEntryTokenBody = Type.Object({ connect_url: Type.String(), expires_at: DateTime })
export type BoardEntryTokenBody = Static<typeof BoardEntryTokenBody>

/** Answer of `POST /board/rooms/{room_id}/help/answer`. */
export const HelpAnswerBody = Type.Object({ answered: Type.Integer({ minimum: 0 }) })
export type HelpAnswerBody = Static<typeof HelpAnswerBody>
