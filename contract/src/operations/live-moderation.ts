import { listOf, nullable } from '../envelope.ts'
import { HandoutBody } from '../handouts.ts'
import {
  ClosedBody,
  CloseFromInside,
  MuteBody,
  NewPostedEvent,
  Playback,
} from '../live-moderation.ts'
import { PostedEvent, Presentation } from '../live-stream.ts'
import { BanBody, BanRequest } from '../participants.ts'
import { operation, pageOf } from './operation.ts'
import { ListQuery, ParticipantParams, RoomHandoutParams, RoomParams } from './params.ts'
import { BY_ROLE } from './refusals.ts'
import { HANDOUT, PARTICIPANT } from './samples.ts'

const PRESENTATION = {
  handout_id: HANDOUT.id,
  file_name: HANDOUT.file_name,
  file_url: HANDOUT.file_url,
  content_type: HANDOUT.content_type,
  playback: null,
}

export const listHandoutsInRoom = operation({
  id: 'listHandoutsInRoom',
  method: 'GET',
  path: '/rooms/{room_id}/live/handouts',
  plane: 'room',
  tag: 'Participant plane',
  summary: 'List the Handouts of the Session in the order of presentation',
  description: 'For moderators and operators.',
  ability: 'canListHandouts',
  params: RoomParams,
  query: ListQuery,
  answers: { 200: listOf(HandoutBody) },
  refusals: BY_ROLE,
  example: {
    answer: pageOf(HANDOUT),
  },
})

export const showHandout = operation({
  id: 'showHandout',
  method: 'POST',
  path: '/rooms/{room_id}/live/handouts/{handout_id}/show',
  plane: 'room',
  tag: 'Participant plane',
  summary: 'Show a Handout to everybody in the Room',
  description:
    'By a moderator. One at a time: what was shown before is hidden. Answers what is shown now; told by `presentation` on the live stream, and to whoever comes later by its snapshot.',
  ability: 'canModerate',
  params: RoomHandoutParams,
  answers: { 200: Presentation },
  refusals: BY_ROLE,
  example: {
    answer: PRESENTATION,
  },
})

export const hideHandout = operation({
  id: 'hideHandout',
  method: 'POST',
  path: '/rooms/{room_id}/live/handouts/{handout_id}/hide',
  plane: 'room',
  tag: 'Participant plane',
  summary: 'Hide a Handout',
  description: 'By a moderator. Changes nothing when it is not shown. Answers what is shown now.',
  ability: 'canModerate',
  params: RoomHandoutParams,
  answers: { 200: Presentation },
  refusals: BY_ROLE,
  example: {
    answer: null,
  },
})

export const movePlayback = operation({
  id: 'movePlayback',
  method: 'POST',
  path: '/rooms/{room_id}/live/handouts/{handout_id}/playback',
  plane: 'room',
  tag: 'Participant plane',
  summary: 'Play, pause or move the video that is shown',
  description: 'By a moderator, for everybody in the Room.',
  ability: 'canModerate',
  params: RoomHandoutParams,
  body: Playback,
  answers: { 200: Presentation },
  refusals: BY_ROLE,
  example: {
    request: { position_sec: 12.5, is_playing: true },
    answer: {
      ...PRESENTATION,
      file_name: 'commercial.mp4',
      content_type: 'video',
      playback: { position_sec: 12.5, is_playing: true, at: '2030-11-21T01:20:31.708Z' },
    },
  },
})

export const banFromInside = operation({
  id: 'banFromInside',
  method: 'POST',
  path: '/rooms/{room_id}/live/participants/{participant_id}/ban',
  plane: 'room',
  tag: 'Participant plane',
  summary: 'Ban a Participant from inside the Room',
  description: 'By a moderator or an operator, and nobody bans themselves. As the tenant does it.',
  ability: 'canBan',
  params: ParticipantParams,
  body: BanRequest,
  answers: { 200: BanBody },
  isUrgent: true,
  refusals: BY_ROLE,
  example: {
    request: { reason: 'Shows the material to somebody else' },
    answer: { participant_id: PARTICIPANT.id, status: 'banned' },
  },
})

export const muteParticipant = operation({
  id: 'muteParticipant',
  method: 'POST',
  path: '/rooms/{room_id}/live/participants/{participant_id}/mute',
  plane: 'room',
  tag: 'Participant plane',
  summary: 'Mute the microphone of a Participant',
  description:
    'By a moderator. The media provider mutes, and then the page is told by `mute_requested` on the live stream; where the provider fails, the page mutes. The Participant may unmute at once, and nobody else may.',
  ability: 'canModerate',
  params: ParticipantParams,
  answers: { 200: MuteBody },
  refusals: BY_ROLE,
  example: {
    answer: { participant_id: PARTICIPANT.id, status: 'mute_requested' },
  },
})

export const closeFromInside = operation({
  id: 'closeFromInside',
  method: 'POST',
  path: '/rooms/{room_id}/live/close',
  plane: 'room',
  tag: 'Participant plane',
  summary: 'Close the Room from inside, for good',
  description: 'By a moderator. As the tenant does it.',
  ability: 'canClose',
  params: RoomParams,
  body: nullable(CloseFromInside),
  answers: { 200: ClosedBody },
  isUrgent: true,
  refusals: BY_ROLE,
  example: {
    request: { reason: 'The interview is over' },
    answer: { status: 'closed' },
  },
})

export const sendFact = operation({
  id: 'sendFact',
  method: 'POST',
  path: '/rooms/{room_id}/live/events',
  plane: 'room',
  tag: 'Participant plane',
  summary: 'Note or tell a fact: a marker, a raised hand, a call for help, a consent',
  description:
    'Kept as a RoomEvent and told by `fact` on the live stream to those who may know of it. A panelist’s `consent.declined` or `consent.withdrawn` ends a recording that runs. At most 60 of one person in a minute, then 429 with `Retry-After`.',
  params: RoomParams,
  body: NewPostedEvent,
  answers: { 201: PostedEvent },
  refusals: [...BY_ROLE, 'RATE_LIMIT_EXCEEDED'],
  example: {
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
})
