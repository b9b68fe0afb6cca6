import { type Operations, pageOf } from './operation.ts'
import { HANDOUT, PARTICIPANT } from './samples.ts'

const GATE = ['SESSION_RELEASED', 'PARTICIPANT_BANNED', 'OUTSIDE_TIME_WINDOW'] as const
/** Of what not every role may do. */
export const BY_ROLE = ['VALIDATION_ERROR', ...GATE] as const
const PRESENTATION = {
  handout_id: HANDOUT.id,
  file_name: HANDOUT.file_name,
  file_url: HANDOUT.file_url,
  content_type: HANDOUT.content_type,
  playback: null,
}

/** What people in a room show, note and do to others. */
export const LIVE_MODERATION_OPERATIONS: Operations = {
  'GET /rooms/{room_id}/live/handouts': {
    id: 'listHandoutsInRoom',
    summary: 'List the Handouts of the Session in the order of presentation',
    description: 'For moderators and operators.',
    refusals: BY_ROLE,
    answer: pageOf(HANDOUT),
  },
  'POST /rooms/{room_id}/live/handouts/{handout_id}/show': {
    id: 'showHandout',
    summary: 'Show a Handout to everybody in the Room',
    description:
      'By a moderator. One at a time: what was shown before is hidden. Answers what is shown now; told by `presentation` on the live stream, and to whoever comes later by its snapshot.',
    refusals: BY_ROLE,
    answer: PRESENTATION,
  },
  'POST /rooms/{room_id}/live/handouts/{handout_id}/hide': {
    id: 'hideHandout',
    summary: 'Hide a Handout',
    description: 'By a moderator. Changes nothing when it is not shown. Answers what is shown now.',
    refusals: BY_ROLE,
    answer: null,
  },
  'POST /rooms/{room_id}/live/handouts/{handout_id}/playback': {
    id: 'movePlayback',
    summary: 'Play, pause or move the video that is shown',
    description: 'By a moderator, for everybody in the Room.',
    refusals: BY_ROLE,
    request: { position_sec: 12.5, is_playing: true },
    answer: {
      ...PRESENTATION,
      file_name: 'commercial.mp4',
      content_type: 'video',
      playback: { position_sec: 12.5, is_playing: true, at: '2030-11-21T01:20:31.708Z' },
    },
  },
  'POST /rooms/{room_id}/live/participants/{participant_id}/ban': {
    id: 'banFromInside',
    summary: 'Ban a Participant from inside the Room',
    description:
      'By a moderator or an operator, and nobody bans themselves. As the tenant does it.',
    refusals: BY_ROLE,
    request: { reason: 'Shows the material to somebody else' },
    answer: { participant_id: PARTICIPANT.id, status: 'banned' },
  },
  'POST /rooms/{room_id}/live/participants/{participant_id}/mute': {
    id: 'muteParticipant',
    summary: 'Mute the microphone of a Participant',
    description:
      'By a moderator. The media provider mutes, and then the page is told by `mute_requested` on the live stream; where the provider fails, the page mutes. The Participant may unmute at once, and nobody else may.',
    refusals: BY_ROLE,
    answer: { participant_id: PARTICIPANT.id, status: 'mute_requested' },
  },
  'POST /rooms/{room_id}/live/close': {
    id: 'closeFromInside',
    summary: 'Close the Room from inside, for good',
    description: 'By a moderator. As the tenant does it.',
    refusals: BY_ROLE,
    request: { reason: 'The interview is over' },
    answer: { status: 'closed' },
  },
  'POST /rooms/{room_id}/live/events': {
    id: 'sendFact',
    summary: 'Note or tell a fact: a marker, a raised hand, a call for help, a consent',
    description:
      'Kept as a RoomEvent and told by `fact` on the live stream to those who may know of it. A panelist’s `consent.declined` or `consent.withdrawn` ends a recording that runs. At most 60 of one person in a minute, then 429 with `Retry-After`.',
    refusals: [...BY_ROLE, 'RATE_LIMIT_EXCEEDED'],
    request: { event_type: 'marker', payload: { note: 'Likes the label' } },
    answer: {
      type: 'marker',
      participant_id: PARTICIPANT.id,
      identity: PARTICIPANT.id,
      display_name: 'Moderator',
      payload: { note: 'Likes the label' },
      created_at: '2030-11-21T01:20:31.708Z',
    },
  },
}
