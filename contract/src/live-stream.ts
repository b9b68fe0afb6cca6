import { type Static, Type } from 'typebox'
import { ConnectionQuality } from './board.ts'
import { ChatMessageBody } from './chat.ts'
import { LastConnectionTest } from './connection-tests.ts'
import { Consents } from './consent.ts'
import { HandoutContentType, Role as RoleName, Visibility } from './enums.ts'
import {
  about,
  boolean,
  DateTime,
  dateTime,
  named,
  nullable,
  string,
  Uuid,
  uuid,
} from './envelope.ts'
import { TicketBody } from './live-entry.ts'
import { PostedEventType } from './live-moderation.ts'
import { SpotlightBody, SpotlightIdentity } from './live-people.ts'
import { CaptionBody, LiveTextChange } from './live-text.ts'
import { QuestionBody } from './questions.ts'
import { ComposedPercent } from './recordings.ts'
import { wordsOf } from './schema.ts'
import { ROLES, type Role } from './vocabulary.ts'

/** Roles that must stay hidden from panelists. */
export const HIDDEN_ROLES = ['observer', 'platform_observer'] as const satisfies readonly Role[]

/** The roles that may know that a person of this role is present. */
export function witnessesOf(role: Role): readonly Role[] {
  const isHidden = (HIDDEN_ROLES as readonly Role[]).includes(role)
  return isHidden ? ROLES.filter((each) => each !== 'panelist') : ROLES
}

/** A person who is present. `participant_id` is null on the simple route. */
export const Person = named(
  'Person',
  Type.Object(
    {
      participant_id: nullable(Uuid, 'Id of the participant. Null on the simple route.'),
      identity: string('Identity at the media provider. Unique in the room.'),
      role: RoleName,
      display_name: string('Name of the person.'),
      has_hand_raised: boolean('Whether the hand is raised.'),
      may_share_screen: Type.Optional(
        boolean('Of a panelist: whether a moderator allows the screen to be shared.'),
      ),
      consents: Type.Optional(
        about(Consents, 'Consent of a panelist. Absent for others, and in what panelists receive.'),
      ),
      last_test: Type.Optional(
        nullable(
          LastConnectionTest,
          'Newest connection test. Null when there is none. For moderators and operators only.',
        ),
      ),
      line: Type.Optional(
        nullable(
          ConnectionQuality,
          'Quality of the connection. Null until it is reported. For moderators and operators only.',
        ),
      ),
      is_microphone_silent: Type.Optional(
        boolean(
          'Whether the microphone is on and sends nothing but digital silence. For moderators and operators only.',
        ),
      ),
    },
    { description: 'A person who is in the room now.' },
  ),
)
export type Person = Static<typeof Person>

const PlaybackState = named(
  'PlaybackState',
  Type.Object(
    {
      position_sec: Type.Number({ description: 'Position in seconds at the time `at`.' }),
      is_playing: boolean('Whether the video plays from there.'),
      at: dateTime('When the video was at that position.'),
    },
    { description: 'Where a video is.' },
  ),
)

const NOTHING_SHOWN = 'The handout that is shown to everyone. Null when none is.'

/** The handout that everybody sees beside the video. Null if none is shown. */
export const Presentation = nullable(
  named(
    'Presentation',
    Type.Object(
      {
        handout_id: uuid('Id of the handout.'),
        title: nullable(Type.String(), 'What people in the room read. Null when none was given.'),
        file_name: string(
          'Name of the file, for moderators and operators. Others get a name made of its kind.',
        ),
        file_url: string('Signed URL of the file.'),
        content_type: HandoutContentType,
        playback: nullable(
          PlaybackState,
          'Where the video is. Null for an image, and before anyone has played it.',
        ),
      },
      { description: 'The handout that is shown to everyone.' },
    ),
  ),
  NOTHING_SHOWN,
)
export type Presentation = Static<typeof Presentation>

const ShownStatus = wordsOf(
  'ShownRecordingStatus',
  ['started', 'paused', 'stopped', 'failed'] as const,
  {
    about: 'State of the recording as people in the room see it.',
    started: 'Recording.',
    paused: 'Paused.',
    stopped: 'Ended.',
    failed: 'Failed.',
  },
)

/**
 * The room's newest recording, as present participants may know it. Null before the first one. The elapsed time is
 * `recorded_sec` plus the time since `running_since`, which is set while media is being written. `is_end_wanted`: a
 * moderator has ended the recording, and no new one starts automatically before everybody has left.
 */
export const ShownRecording = nullable(
  named(
    'ShownRecording',
    Type.Object(
      {
        id: uuid('Id of the recording.'),
        status: ShownStatus,
        started_at: dateTime('When the recording started.'),
        recorded_sec: Type.Number({
          description: 'Seconds recorded before `running_since`, without pauses.',
        }),
        running_since: nullable(
          DateTime,
          'Since when media is being written without a break. Null when it is not.',
        ),
        composed_percent: Type.Optional(
          nullable(
            ComposedPercent,
            'How much of its file is composed, in percent. Null when it is not being composed.',
          ),
        ),
        estimated_available_at: Type.Optional(
          nullable(DateTime, 'When its file is likely to be there. Null when that is not known.'),
        ),
        is_available: Type.Optional(boolean('Whether its file is there.')),
        missing_sec: Type.Optional(
          nullable(
            Type.Number({ minimum: 0 }),
            'How long at least one person is missing in the finished recording, in seconds. Null when no one is, or that is not known.',
          ),
        ),
        is_interrupted: Type.Optional(
          boolean(
            'Whether it is paused because its recorder failed. It continues automatically when another one records.',
          ),
        ),
        is_broken_off: Type.Optional(
          boolean("Whether it ended without a moderator's stop, and not everyone has left since."),
        ),
        is_end_wanted: boolean(
          'Whether a moderator stopped it. No recording starts automatically until everyone has left.',
        ),
      },
      { description: 'A recording as people in the room see it.' },
    ),
  ),
  'The newest recording of the room. Null before the first one.',
)
export type ShownRecording = Static<typeof ShownRecording>

/** The slot, and the time until which people may stay inside. Only rooms with a slot have it. */
export const SlotTimes = named(
  'SlotTimes',
  Type.Object(
    {
      starts_at: dateTime('Start of the slot.'),
      ends_at: dateTime('End of the slot.'),
      closes_at: dateTime('End of the time window, 30 minutes after the slot.'),
    },
    { description: 'The slot and the end of its time window.' },
  ),
)
export type SlotTimes = Static<typeof SlotTimes>

/** Posted events in a snapshot at most, the newest ones. */
export const SNAPSHOT_EVENTS_MAX = 200

/** A posted event, as its receivers see it. */
export const PostedEvent = named(
  'PostedEvent',
  Type.Object(
    {
      type: PostedEventType,
      participant_id: nullable(Uuid, 'Who posted it. Null on the simple route.'),
      identity: string(
        'Identity of that person in the roster. On the simple route the only one. Empty for an operator at the board.',
      ),
      display_name: string('Name of that person.'),
      payload: nullable(
        Type.Unsafe<Record<string, unknown>>({ type: 'object' }),
        'What the person added, such as `note`. A marker may have `is_private`, `marked_at` (the moment, when it was not that of posting), and while the room is recorded `recording_id` and `offset_sec`, its place in the recording in seconds. Null when nothing.',
      ),
      created_at: dateTime('When it was posted.'),
    },
    { description: 'A room event that a person posted.' },
  ),
)
export type PostedEvent = Static<typeof PostedEvent>

const Roster = Type.Array(Person, { description: 'Who is in the room, as your role may see it.' })

/** The state at the beginning of the stream. The other events change it. */
export const Snapshot = named(
  'RoomSnapshot',
  Type.Object(
    {
      now: dateTime('Time of the service.'),
      slot: nullable(SlotTimes, 'The slot. Null when the room has no session.'),
      roster: Roster,
      presentation: Presentation,
      spotlight: Type.Optional(SpotlightIdentity),
      recording: ShownRecording,
      facts: Type.Array(PostedEvent, {
        description: 'The newest 200 posted events, oldest first. Empty for panelists.',
      }),
      questions: Type.Optional(
        Type.Array(QuestionBody, {
          description:
            'The newest 200 questions for the moderator, oldest first. Empty for panelists.',
        }),
      ),
      has_live_text: Type.Optional(boolean('Whether you may read what is said while it is said.')),
    },
    { description: 'State of the room when the stream begins.' },
  ),
)
export type Snapshot = Static<typeof Snapshot>

const RemovalReason = wordsOf('RemovalReason', ['banned', 'removed', 'opened_elsewhere'] as const, {
  about: 'Why you are disconnected.',
  banned: 'You were banned.',
  removed: 'A moderator or an operator removed you.',
  opened_elsewhere: 'You entered again on another page or device.',
})

const ClosedReason = wordsOf('ClosedReason', ['room_closed', 'window_ended'] as const, {
  about: 'Why the stream ends for everyone.',
  room_closed: 'The room was closed or the session cancelled.',
  window_ended: 'The time window is over.',
})

/**
 * The events of `GET /rooms/{room_id}/live/stream`, by name. Each contains only what the reader's role may know.
 * `roster`, `presentation` and `recording` are complete states. `closed` and `removed` end the stream.
 */
export const STREAM_EVENTS = {
  snapshot: Snapshot,
  message: ChatMessageBody,
  messages_purged: named(
    'PurgedMessages',
    Type.Object(
      { visibility: nullable(Visibility, 'The visibility that was deleted. Null for all.') },
      { description: 'Chat messages were deleted.' },
    ),
  ),
  roster: named(
    'RosterChange',
    Type.Object({ roster: Roster }, { description: 'The participants list changed.' }),
  ),
  presentation: named(
    'PresentationChange',
    Type.Object(
      { presentation: Presentation },
      { description: 'Another handout is shown, or none, or its video moved.' },
    ),
  ),
  /** The person on everyone's large tile has changed. Null if there is none now. */
  spotlight: SpotlightBody,
  recording: named(
    'RecordingChange',
    Type.Object({ recording: ShownRecording }, { description: 'The recording changed.' }),
  ),
  handouts: named(
    'HandoutsChange',
    Type.Object({}, { description: 'The list of handouts changed. For roles that may list them.' }),
  ),
  fact: PostedEvent,
  /** A new or changed question. It replaces the one with the same id. Panelists never receive it. */
  question: QuestionBody,
  /**
   * A text of somebody who speaks. Only final texts have a place in the log: the others come three times a second, and not to readers of
   * `.../live/changes`.
   */
  caption: CaptionBody,
  /** The tenant's setting has changed, for readers to whom it makes a difference. */
  live_text: LiveTextChange,
  /** The media provider has already muted the person, unless that failed. */
  mute_requested: named(
    'MuteRequested',
    Type.Object({}, { description: 'A moderator mutes you.' }),
  ),
  /** The slot was moved. */
  window: SlotTimes,
  closing: named(
    'RoomClosing',
    Type.Object(
      { at: dateTime('When everyone will be disconnected.') },
      { description: 'The time window is over.' },
    ),
  ),
  ticket: TicketBody,
  removed: named(
    'RoomRemoval',
    Type.Object(
      { reason: RemovalReason },
      { description: 'You are disconnected. The last event of the stream.' },
    ),
  ),
  closed: named(
    'RoomClosed',
    Type.Object(
      { reason: ClosedReason },
      { description: 'The room is closed. The last event of the stream.' },
    ),
  ),
}
export type StreamEvents = { [K in keyof typeof STREAM_EVENTS]: Static<(typeof STREAM_EVENTS)[K]> }
export type StreamEventName = keyof StreamEvents
/** Events that are written to the room's live log. The others are made for one reader. */
export type LoggedEventName = Exclude<StreamEventName, 'snapshot' | 'ticket'>
