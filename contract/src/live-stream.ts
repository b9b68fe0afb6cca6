import { type Static, Type } from 'typebox'
import { CONNECTION_QUALITIES } from './board.ts'
import { ChatMessageBody } from './chat.ts'
import { LastConnectionTest } from './connection-tests.ts'
import { DateTime, nullable, oneOf, Uuid } from './envelope.ts'
import { TicketBody } from './live-entry.ts'
import { POSTED_EVENT_TYPES } from './live-moderation.ts'
import { HANDOUT_CONTENT_TYPES, ROLES, type Role, VISIBILITIES } from './vocabulary.ts'

/** Roles that nobody of the others may know to be there. */
export const HIDDEN_ROLES = ['observer', 'platform_observer'] as const satisfies readonly Role[]

/** Who may know that somebody of this role is there. */
export function witnessesOf(role: Role): readonly Role[] {
  const isHidden = (HIDDEN_ROLES as readonly Role[]).includes(role)
  return isHidden ? ROLES.filter((each) => each !== 'panelist') : ROLES
}

/** Somebody who is in the room now. `participant_id` is null on the simple route. */
export const Person = Type.Object({
  participant_id: nullable(Uuid),
  identity: Type.String(),
  role: oneOf(ROLES),
  display_name: Type.String(),
  has_hand_raised: Type.Boolean(),
  /** For moderators and operators only: the newest result of the person's connection tests. */
  last_test: Type.Optional(nullable(LastConnectionTest)),
  /** For them only, too: the line as the person's own page sees it; null before it has said anything. */
  line: Type.Optional(nullable(oneOf(CONNECTION_QUALITIES))),
})
export type Person = Static<typeof Person>

/** What is shown to everybody beside the video; null when nothing is. */
export const Presentation = nullable(
  Type.Object({
    handout_id: Uuid,
    file_name: Type.String(),
    file_url: Type.String(),
    content_type: oneOf(HANDOUT_CONTENT_TYPES),
    /** Of a video: where it was at `at`, and whether it goes on from there. */
    playback: nullable(
      Type.Object({ position_sec: Type.Number(), is_playing: Type.Boolean(), at: DateTime }),
    ),
  }),
)
export type Presentation = Static<typeof Presentation>

/**
 * The room's newest recording, as everybody inside may know of it; null before the first one.
 * Elapsed is `recorded_sec`, and the time since `running_since` where that is set: it is set while
 * media is really being written. `is_end_wanted`: a moderator has ended it, and none follows by
 * itself before everybody has left.
 */
export const ShownRecording = nullable(
  Type.Object({
    id: Uuid,
    status: oneOf(['started', 'paused', 'stopped', 'failed'] as const),
    started_at: DateTime,
    recorded_sec: Type.Number(),
    running_since: nullable(DateTime),
    is_end_wanted: Type.Boolean(),
  }),
)
export type ShownRecording = Static<typeof ShownRecording>

/** When the slot runs, and until when one may be inside; of rooms with a slot. */
export const SlotTimes = Type.Object({
  starts_at: DateTime,
  ends_at: DateTime,
  closes_at: DateTime,
})
export type SlotTimes = Static<typeof SlotTimes>

/** Facts of the room that a snapshot tells, the newest ones. */
export const SNAPSHOT_EVENTS_MAX = 200

/** Something that happened, as those who may know of it are told. */
export const PostedEvent = Type.Object({
  type: oneOf(POSTED_EVENT_TYPES),
  participant_id: nullable(Uuid),
  /** As in the roster; on the simple route it alone tells one visitor from another. */
  identity: Type.String(),
  display_name: Type.String(),
  payload: nullable(Type.Unsafe<Record<string, unknown>>({ type: 'object' })),
  created_at: DateTime,
})
export type PostedEvent = Static<typeof PostedEvent>

/** Where a reader stands when the stream begins; what follows is told by the other events. */
export const Snapshot = Type.Object({
  now: DateTime,
  slot: nullable(SlotTimes),
  roster: Type.Array(Person),
  presentation: Presentation,
  recording: ShownRecording,
  /** Oldest first; none for a panelist, to whom the roster says whose hand is up. */
  facts: Type.Array(PostedEvent),
})
export type Snapshot = Static<typeof Snapshot>

/**
 * The events of `GET /rooms/{room_id}/live/stream`, by name, each already cut to what the reader's
 * role may know. `roster`, `presentation` and `recording` are whole states; `closed` and `removed` are the last.
 */
export const STREAM_EVENTS = {
  snapshot: Snapshot,
  message: ChatMessageBody,
  messages_purged: Type.Object({ visibility: nullable(oneOf(VISIBILITIES)) }),
  roster: Type.Object({ roster: Type.Array(Person) }),
  presentation: Type.Object({ presentation: Presentation }),
  recording: Type.Object({ recording: ShownRecording }),
  /** The list of handouts is another than before; for those who may list them. */
  handouts: Type.Object({}),
  fact: PostedEvent,
  /** A moderator asks the reader to mute; the media provider has muted already unless it failed. */
  mute_requested: Type.Object({}),
  /** The slot was moved. */
  window: SlotTimes,
  /** The window is over: those inside are put out at this time. */
  closing: Type.Object({ at: DateTime }),
  ticket: TicketBody,
  removed: Type.Object({ reason: oneOf(['banned', 'removed', 'opened_elsewhere'] as const) }),
  closed: Type.Object({ reason: oneOf(['room_closed', 'window_ended'] as const) }),
}
export type StreamEvents = { [K in keyof typeof STREAM_EVENTS]: Static<(typeof STREAM_EVENTS)[K]> }
export type StreamEventName = keyof StreamEvents
/** Events that stand in the room's live log; the others are made for one reader. */
export type LoggedEventName = Exclude<StreamEventName, 'snapshot' | 'ticket'>
