import {
  LoweredHandsBody,
  MuteAllBody,
  RatingRequest,
  RatingBody,
  RemovalBody,
  ScreenPermissionBody,
  SpotlightBody,
} from '../live-people.ts'
import { operation } from './operation.ts'
import { PersonParams, RoomParams } from './params.ts'
import { BY_ROLE } from './refusals.ts'
import { PARTICIPANT } from './samples.ts'

export const removeFromInside = operation({
  id: 'removeFromInside',
  method: 'POST',
  path: '/rooms/{room_id}/live/participants/{participant_id}/remove',
  plane: 'room',
  makesSafe: true,
  tag: 'Participant plane',
  summary: 'Remove a participant from inside the room',
  description:
    'Disconnects a person, who may enter again with the same link. For moderators and operators; you cannot remove yourself. The log of the room records it as `participant.removed`. It changes nothing when the person is not in the room. To keep somebody out, ban them.',
  ability: 'canBan',
  params: PersonParams,
  answers: { 200: RemovalBody },
  isUrgent: true,
  refusals: BY_ROLE,
  example: {
    answer: { participant_id: PARTICIPANT.id, status: 'removed' },
  },
})

export const muteEveryone = operation({
  id: 'muteEveryone',
  method: 'POST',
  path: '/rooms/{room_id}/live/mute-all',
  plane: 'room',
  makesSafe: true,
  tag: 'Participant plane',
  summary: 'Mute everyone else',
  description:
    'Mutes the microphones of everyone who is present except yourself. For moderators. The same happens to each person as by muting them one by one.',
  ability: 'canModerate',
  params: RoomParams,
  answers: { 200: MuteAllBody },
  refusals: BY_ROLE,
  example: {
    answer: { identities: [PARTICIPANT.id], status: 'mute_requested' },
  },
})

export const lowerHand = operation({
  id: 'lowerHand',
  method: 'POST',
  path: '/rooms/{room_id}/live/participants/{participant_id}/lower-hand',
  plane: 'room',
  tag: 'Participant plane',
  summary: 'Lower the hand of a participant',
  description:
    'Lowers a raised hand. For moderators. The log of the room records it as `hand.lowered` with `by`; the room stream sends it as `fact` and `roster`. It changes nothing when the hand is not raised.',
  ability: 'canModerate',
  params: PersonParams,
  answers: { 200: LoweredHandsBody },
  refusals: BY_ROLE,
  example: {
    answer: { identities: [PARTICIPANT.id] },
  },
})

export const lowerAllHands = operation({
  id: 'lowerAllHands',
  method: 'POST',
  path: '/rooms/{room_id}/live/lower-hands',
  plane: 'room',
  tag: 'Participant plane',
  summary: 'Lower all hands',
  description:
    'Lowers the hands of everyone who is present. For moderators. The same happens to each person as by lowering their hand.',
  ability: 'canModerate',
  params: RoomParams,
  answers: { 200: LoweredHandsBody },
  refusals: BY_ROLE,
  example: {
    answer: { identities: [PARTICIPANT.id] },
  },
})

export const spotlightParticipant = operation({
  id: 'spotlightParticipant',
  method: 'POST',
  path: '/rooms/{room_id}/live/participants/{participant_id}/spotlight',
  plane: 'room',
  tag: 'Participant plane',
  summary: 'Spotlight a participant',
  description:
    'Makes a moderator or panelist large for everyone in the room, in place of the person before. For moderators. The room stream sends it as `spotlight`, and the snapshot of those who enter later has it. The log of the room records it as `spotlight.started`. A repeat changes nothing.',
  ability: 'canModerate',
  params: PersonParams,
  answers: { 200: SpotlightBody },
  refusals: BY_ROLE,
  example: {
    answer: { identity: PARTICIPANT.id },
  },
})

export const endSpotlight = operation({
  id: 'endSpotlight',
  method: 'POST',
  path: '/rooms/{room_id}/live/spotlight/end',
  plane: 'room',
  tag: 'Participant plane',
  summary: 'End the spotlight',
  description:
    'Makes nobody large for everyone any more. For moderators. The log of the room records it as `spotlight.ended`. It changes nothing when nobody is in the spotlight.',
  ability: 'canModerate',
  params: RoomParams,
  answers: { 200: SpotlightBody },
  refusals: BY_ROLE,
  example: {
    answer: { identity: null },
  },
})

export const allowScreenShare = operation({
  id: 'allowScreenShare',
  method: 'POST',
  path: '/rooms/{room_id}/live/participants/{participant_id}/screen/allow',
  plane: 'room',
  tag: 'Participant plane',
  summary: 'Let a panelist share the screen',
  description:
    'Lets a panelist share the screen, a window or a tab, as moderators may. For moderators. The media server allows it from then on, and the media tokens of the panelist do. The roster has `may_share_screen`. The log of the room records it as `screen.allowed`. A repeat changes nothing.',
  ability: 'canModerate',
  params: PersonParams,
  answers: { 200: ScreenPermissionBody },
  refusals: BY_ROLE,
  example: {
    answer: { participant_id: PARTICIPANT.id, may_share_screen: true },
  },
})

export const withdrawScreenShare = operation({
  id: 'withdrawScreenShare',
  method: 'POST',
  path: '/rooms/{room_id}/live/participants/{participant_id}/screen/withdraw',
  plane: 'room',
  makesSafe: true,
  tag: 'Participant plane',
  summary: 'No longer let a panelist share the screen',
  description:
    'Ends the permission, and a screen that is being shared. For moderators. The log of the room records it as `screen.withdrawn`. A repeat changes nothing.',
  ability: 'canModerate',
  params: PersonParams,
  answers: { 200: ScreenPermissionBody },
  refusals: BY_ROLE,
  example: {
    answer: { participant_id: PARTICIPANT.id, may_share_screen: false },
  },
})

export const rateInterview = operation({
  id: 'rateInterview',
  method: 'POST',
  path: '/rooms/{room_id}/live/rating',
  plane: 'room',
  tag: 'Participant plane',
  summary: 'Rate the interview',
  description:
    'Rates the interview, in the room or after it, as long as the room ticket is valid; also when the room is closed. For panelists. The log of the room records it as `interview.rated`. One rating counts for each person: a repeat returns the first with 200.',
  checksAdmissionItself: true,
  params: RoomParams,
  body: RatingRequest,
  answers: { 201: RatingBody, 200: RatingBody },
  refusals: ['VALIDATION_ERROR', 'PARTICIPANT_BANNED'],
  example: {
    request: { score: 5, comment: 'I had time to think.' },
    answer: { score: 5, comment: 'I had time to think.' },
  },
})
