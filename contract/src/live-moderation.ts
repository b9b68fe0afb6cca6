import { type Static, Type } from 'typebox'
import { ConsentPurpose } from './consent.ts'
import { Locale } from './enums.ts'
import { about, boolean, freeText, KEPT_CHARACTERS, named, string, text } from './envelope.ts'
import {
  CLOSE_REASON_MAX,
  CONSENT_VERSION_MAX,
  MARKER_SECONDS_AGO_MAX,
  RECORDING_LENGTH_MAX_SEC,
} from './limits.ts'
import { wordsOf } from './schema.ts'
import type { Role } from './vocabulary.ts'

const STRICT = { additionalProperties: false } as const
const NOTE_MAX = 255

/** Room events that one person may post in any minute. Answers about consent have a limit of their own. */
export const POSTED_EVENTS_PER_MINUTE = 60

/** Body of `POST .../live/handouts/{handout_id}/playback`: the new playback position, set by the moderator. */
export const Playback = named(
  'Playback',
  Type.Object(
    {
      position_sec: Type.Number({
        minimum: 0,
        maximum: RECORDING_LENGTH_MAX_SEC,
        description: 'Position in the video, in seconds.',
      }),
      is_playing: boolean('Whether the video plays from there, or is paused.'),
    },
    { ...STRICT, description: 'Position and state of the video.' },
  ),
)
export type Playback = Static<typeof Playback>

/** Optional body of `POST .../live/close`. */
export const CloseFromInside = named(
  'CloseFromInside',
  Type.Object(
    {
      reason: Type.Optional(
        about(
          freeText(CLOSE_REASON_MAX, 0),
          `Why the room is closed. Recorded in the room event \`room.closed\`. ${KEPT_CHARACTERS}`,
        ),
      ),
    },
    { ...STRICT, description: 'Why the room is closed.' },
  ),
)

export const ClosedBody = named(
  'ClosedRoom',
  Type.Object(
    { status: Type.Literal('closed', { description: 'Always `closed`.' }) },
    { description: 'The room is closed.' },
  ),
)
export type ClosedBody = Static<typeof ClosedBody>

/** Answer of `POST .../live/participants/{participant_id}/ban`. */
export const PersonBanBody = named(
  'PersonBan',
  Type.Object(
    {
      participant_id: string('Id of the participant, or `identity` of a visitor or a guest.'),
      status: Type.Literal('banned', { description: 'Always `banned`.' }),
    },
    { description: 'A ban from inside the room that is in effect.' },
  ),
)

/** Answer of `POST .../live/participants/{participant_id}/mute`. */
export const MuteBody = named(
  'Mute',
  Type.Object(
    {
      participant_id: string('Id of the participant, or `identity` of a visitor or a guest.'),
      status: Type.Literal('mute_requested', { description: 'Always `mute_requested`.' }),
    },
    { description: 'The microphone is muted, or the page has been asked to mute it.' },
  ),
)
export type MuteBody = Static<typeof MuteBody>

/** Events that people in a room post. `POSTED_EVENT_AUDIENCE` lists the roles that may post each one. */
export const POSTED_EVENT_TYPES = [
  'marker',
  'help.requested',
  'help.answered',
  'hand.raised',
  'hand.lowered',
  'consent.given',
  'consent.declined',
  'consent.withdrawn',
] as const
export type PostedEventType = (typeof POSTED_EVENT_TYPES)[number]

export const PostedEventType = wordsOf('PostedEventType', POSTED_EVENT_TYPES, {
  about: 'A room event that people post.',
  marker: 'Marks a moment. By moderators, observers and operators.',
  'help.requested': 'Requests help. By moderators, panelists and observers.',
  'help.answered': 'Answers the open requests for help. By operators, here or from the board.',
  'hand.raised': 'Raises a hand. By panelists.',
  'hand.lowered': 'Lowers the hand. By panelists.',
  'consent.given': 'Agrees to the recording, to be observed, or to live text. By panelists.',
  'consent.declined': 'Does not agree. By panelists.',
  'consent.withdrawn': 'Withdraws the consent. By panelists.',
})

/** Body of `POST .../live/events`. Only an answer about consent carries `purpose`, `version` and `language`. */
export const RoomEventRequest = named(
  'RoomEventRequest',
  Type.Object(
    {
      event_type: PostedEventType,
      payload: Type.Optional(
        named(
          'RoomEventPayloadRequest',
          Type.Object(
            {
              note: Type.Optional(about(text(NOTE_MAX), 'A note of one line.')),
              seconds_ago: Type.Optional(
                about(
                  Type.Integer({ minimum: 0, maximum: MARKER_SECONDS_AGO_MAX }),
                  'Of a marker: how long before this request the moment was.',
                  { default: 0 },
                ),
              ),
              is_private: Type.Optional(
                about(
                  Type.Boolean(),
                  'Of a marker: only the person who posts it sees it in the room. The tenant reads it in the room events.',
                  { default: false },
                ),
              ),
              purpose: Type.Optional(
                about(ConsentPurpose, 'Of an answer about consent: to what.', {
                  default: 'recording',
                }),
              ),
              version: Type.Optional(
                about(
                  text(CONSENT_VERSION_MAX),
                  'Of an answer about consent: version of the text that the person read.',
                ),
              ),
              language: Type.Optional(
                about(Locale, 'Of an answer about consent: language of that text.'),
              ),
            },
            { ...STRICT, description: 'What the person adds.' },
          ),
        ),
      ),
    },
    { ...STRICT, description: 'The room event to post.' },
  ),
)
export type RoomEventRequest = Static<typeof RoomEventRequest>

/** The roles that may post a room event, and the roles that receive it. Other roles never learn of it. */
export const POSTED_EVENT_AUDIENCE = {
  marker: {
    senders: ['moderator', 'observer', 'platform_observer'],
    receivers: ['moderator', 'observer', 'platform_observer'],
  },
  'help.requested': {
    senders: ['moderator', 'panelist', 'observer'],
    receivers: ['moderator', 'platform_observer'],
  },
  'help.answered': {
    senders: ['platform_observer'],
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
    senders: ['panelist'],
    receivers: ['moderator', 'observer', 'platform_observer'],
  },
  'consent.declined': {
    senders: ['panelist'],
    receivers: ['moderator', 'observer', 'platform_observer'],
  },
  'consent.withdrawn': {
    senders: ['panelist'],
    receivers: ['moderator', 'observer', 'platform_observer'],
  },
} as const satisfies Record<
  PostedEventType,
  { senders: readonly Role[]; receivers: readonly Role[] }
>
