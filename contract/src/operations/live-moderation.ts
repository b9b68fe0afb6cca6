import { listOf, nullable } from '../envelope.ts'
import { HandoutBody, HandoutInRoomRequest } from '../handouts.ts'
import {
  ClosedBody,
  CloseFromInside,
  MuteBody,
  PersonBanBody,
  RoomEventRequest,
  Playback,
} from '../live-moderation.ts'
import { PostedEvent, Presentation } from '../live-stream.ts'
import { BanRequest } from '../participants.ts'
import { operation, pageOf } from './operation.ts'
import { ListQuery, PersonParams, RoomHandoutParams, RoomParams } from './params.ts'
import { BY_ROLE } from './refusals.ts'
import { HANDOUT, PARTICIPANT, RECORDING } from './samples.ts'

const PRESENTATION = {
  handout_id: HANDOUT.id,
  title: HANDOUT.title,
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
  summary: 'List the handouts of the room',
  description:
    'Returns the handouts of the session in the order of `sort`. For moderators and operators. The event `handouts` of the room stream says when the list changes.',
  ability: 'canListHandouts',
  params: RoomParams,
  query: ListQuery,
  answers: { 200: listOf(HandoutBody) },
  refusals: BY_ROLE,
  example: {
    answer: pageOf(HANDOUT),
  },
})

export const addHandoutInRoom = operation({
  id: 'addHandoutInRoom',
  method: 'POST',
  path: '/rooms/{room_id}/live/handouts',
  plane: 'room',
  tag: 'Participant plane',
  summary: 'Add a handout in the room',
  description:
    'Uploads an image or a video for the session of the room, as a multipart form. It becomes the last of the list, and is not shown. For moderators. The log of the room records it as `handout.added`. A repeat adds another one.',
  ability: 'canModerate',
  isLong: true,
  params: RoomParams,
  form: HandoutInRoomRequest,
  answers: { 201: HandoutBody },
  refusals: [...BY_ROLE, 'FILE_TOO_LARGE', 'UNSUPPORTED_FILE_TYPE'],
  example: {
    parts: { file: HANDOUT.file_name, title: HANDOUT.title },
    answer: { ...HANDOUT, external_type: null, external_id: null },
  },
})

export const showHandout = operation({
  id: 'showHandout',
  method: 'POST',
  path: '/rooms/{room_id}/live/handouts/{handout_id}/show',
  plane: 'room',
  tag: 'Participant plane',
  summary: 'Show a handout',
  description:
    'Shows the handout to everyone in the room, and hides the one shown before. For moderators. The room stream sends `presentation`; people who enter later receive it in their snapshot. The response is what is shown now.',
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
  summary: 'Hide a handout',
  description:
    'Hides the handout for everyone. For moderators. It changes nothing when another handout or none is shown. The response is what is shown now.',
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
  summary: 'Control the video of a handout',
  description:
    'Plays, pauses or moves the video for everyone in the room. For moderators, while the video is shown. The room stream sends the new position as `presentation`.',
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
  makesSafe: true,
  tag: 'Participant plane',
  summary: 'Ban a participant from inside the room',
  description:
    'Has the same effect as the ban by your backend. For moderators and operators; you cannot ban yourself. A visitor of the simple route is removed instead, by the `identity` of the roster; a guest does not come back.',
  ability: 'canBan',
  params: PersonParams,
  body: BanRequest,
  answers: { 200: PersonBanBody },
  isUrgent: true,
  refusals: BY_ROLE,
  example: {
    request: { reason: 'Shared confidential material' },
    answer: { participant_id: PARTICIPANT.id, status: 'banned' },
  },
})

export const muteParticipant = operation({
  id: 'muteParticipant',
  method: 'POST',
  path: '/rooms/{room_id}/live/participants/{participant_id}/mute',
  plane: 'room',
  makesSafe: true,
  tag: 'Participant plane',
  summary: 'Mute a participant',
  description:
    'Mutes the microphone of a person. For moderators. The media server mutes, and the page receives `mute_requested` on the room stream. Only that person can unmute, at any time.',
  ability: 'canModerate',
  params: PersonParams,
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
  makesSafe: true,
  tag: 'Participant plane',
  summary: 'Close the room from inside',
  description:
    'Has the same effect as closing by your backend: the room closes permanently and everyone is disconnected. For moderators.',
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

export const postRoomEvent = operation({
  id: 'postRoomEvent',
  method: 'POST',
  path: '/rooms/{room_id}/live/events',
  plane: 'room',
  tag: 'Participant plane',
  summary: 'Post a room event',
  description:
    'Posts a marker, a raised hand, a request for help or a consent. The log of the room records it. The room stream sends it as `fact` to the roles that may see it. When a panelist declines or withdraws consent to the recording, a running recording stops. When a panelist who is asked to be observed does so, observers receive nothing more. Only panelists answer. A media token of before the answer has the permissions of before: renew the ticket, and connect with the new token. A connection with the earlier one gets the new permissions right after it has joined, and what it publishes before that is refused. In a room that is always recorded, a panelist who has declined posts nothing else. A person may post 60 events a minute, and 60 answers about consent besides; one more is 429 with `Retry-After`.',
  params: RoomParams,
  body: RoomEventRequest,
  answers: { 201: PostedEvent },
  refusals: [...BY_ROLE, 'RATE_LIMIT_EXCEEDED'],
  example: {
    request: { event_type: 'marker', payload: { note: 'Likes the label', seconds_ago: 8 } },
    answer: {
      type: 'marker',
      participant_id: PARTICIPANT.id,
      identity: PARTICIPANT.id,
      display_name: 'Moderator',
      payload: {
        note: 'Likes the label',
        marked_at: '2030-11-21T01:20:23.708Z',
        recording_id: RECORDING.id,
        offset_sec: 1223.7,
      },
      created_at: '2030-11-21T01:20:31.708Z',
    },
  },
})
