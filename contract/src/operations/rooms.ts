import { ChatMessageBody, ChatMessageQuery, ChatPurgeQuery } from '../chat.ts'
import { listOf } from '../envelope.ts'
import {
  BanBody,
  BanRequest,
  EntryHistoryBody,
  EntryHistoryQuery,
  ParticipantBody,
  ParticipantQuery,
} from '../participants.ts'
import { RoomEventBody, RoomEventQuery } from '../room-events.ts'
import { CloseRoom, NewRoom, RoomBody, RoomPatch, RoomSummary } from '../rooms.ts'
import { NOTHING, operation, pageOf } from './operation.ts'
import { ParticipantParams, RoomParams } from './params.ts'
import { ENTRY, MESSAGE, PARTICIPANT, ROOM, ROOM_EVENT } from './samples.ts'

export const createRoom = operation({
  id: 'createRoom',
  method: 'POST',
  path: '/rooms',
  plane: 'control',
  tag: 'Rooms',
  summary: 'Book a Room with its Session',
  description:
    'Room, Session and media room are made together or not at all. After a 502 nothing is left, and a retry with the same Idempotency-Key is safe.',
  body: NewRoom,
  answers: { 201: RoomBody },
  refusals: ['DUPLICATE_EXTERNAL_REF', 'INVALID_TIME_WINDOW', 'RTC_PROVISION_FAILED'],
  isKeyed: true,
  hasLocation: true,
  mayDeprecate: true,
  example: {
    request: {
      kind: 'interview',
      session: {
        external_type: 'Slot',
        external_id: '48213',
        name: 'Instant coffee, women 30 to 39',
        starts_at: '2030-11-21T01:00:00Z',
        ends_at: '2030-11-21T02:00:00Z',
      },
    },
    answer: ROOM,
  },
})

export const getRoom = operation({
  id: 'getRoom',
  method: 'GET',
  path: '/rooms/{room_id}',
  plane: 'control',
  tag: 'Rooms',
  summary: 'Get a Room with its Session',
  params: RoomParams,
  answers: { 200: RoomBody },
  example: {
    answer: ROOM,
  },
})

export const patchRoom = operation({
  id: 'patchRoom',
  method: 'PATCH',
  path: '/rooms/{room_id}',
  plane: 'control',
  tag: 'Rooms',
  summary: 'Change the transcription settings of a Room',
  description: 'Holds for transcriptions that start afterwards. Everything else is immutable.',
  params: RoomParams,
  body: RoomPatch,
  answers: { 200: RoomSummary },
  refusals: ['ROOM_CLOSED', 'IMMUTABLE_FIELD'],
  mayDeprecate: true,
  example: {
    request: { transcription_language: 'en-US', transcription_service: 'engine_b' },
    answer: {
      id: ROOM.id,
      kind: 'interview',
      status: 'open',
      transcription_language: 'en-US',
      transcription_service: 'engine_b',
    },
  },
})

export const closeRoom = operation({
  id: 'closeRoom',
  method: 'POST',
  path: '/rooms/{room_id}/close',
  plane: 'control',
  tag: 'Rooms',
  summary: 'Close a Room',
  description:
    'Idempotent. Everybody is disconnected, entry is refused, a running recording is stopped and kept.',
  params: RoomParams,
  body: CloseRoom,
  answers: { 200: RoomBody },
  isUrgent: true,
  example: {
    request: { reason: 'The interview is over' },
    answer: {
      ...ROOM,
      status: 'closed',
      session: ROOM.session && { ...ROOM.session, status: 'closed' },
    },
  },
})

export const listParticipants = operation({
  id: 'listParticipants',
  method: 'GET',
  path: '/rooms/{room_id}/participants',
  plane: 'control',
  tag: 'Participants',
  summary: 'List the Participants of a Room, oldest first',
  params: RoomParams,
  query: ParticipantQuery,
  answers: { 200: listOf(ParticipantBody) },
  example: {
    answer: pageOf(PARTICIPANT),
  },
})

export const banParticipant = operation({
  id: 'banParticipant',
  method: 'POST',
  path: '/rooms/{room_id}/participants/{participant_id}/ban',
  plane: 'control',
  tag: 'Participants',
  summary: 'Ban a Participant from a Room',
  description: 'Idempotent. Disconnected at once; every later token is refused.',
  params: ParticipantParams,
  body: BanRequest,
  answers: { 200: BanBody },
  isUrgent: true,
  isKeyed: true,
  example: {
    request: { reason: 'Shows the material to somebody else' },
    answer: { participant_id: PARTICIPANT.id, status: 'banned' },
  },
})

export const listEntryHistories = operation({
  id: 'listEntryHistories',
  method: 'GET',
  path: '/rooms/{room_id}/entry-histories',
  plane: 'control',
  tag: 'EntryHistory',
  summary: 'List who entered and left a Room, oldest first',
  params: RoomParams,
  query: EntryHistoryQuery,
  answers: { 200: listOf(EntryHistoryBody) },
  example: {
    answer: pageOf(ENTRY),
  },
})

export const listChatMessages = operation({
  id: 'listChatMessages',
  method: 'GET',
  path: '/rooms/{room_id}/chat-messages',
  plane: 'control',
  tag: 'Chat',
  summary: 'List the chat of a Room, oldest first',
  description: 'All visibilities: who may read them is for the tenant to decide.',
  params: RoomParams,
  query: ChatMessageQuery,
  answers: { 200: listOf(ChatMessageBody) },
  example: {
    answer: pageOf(MESSAGE),
  },
})

export const purgeChatMessages = operation({
  id: 'purgeChatMessages',
  method: 'DELETE',
  path: '/rooms/{room_id}/chat-messages',
  plane: 'control',
  tag: 'Chat',
  summary: 'Purge the chat of a Room, or one visibility of it',
  description: 'Files go with their messages, soon afterwards. 204 also when there was nothing.',
  params: RoomParams,
  query: ChatPurgeQuery,
  answers: { 204: NOTHING },
  isKeyed: true,
})

export const listRoomEvents = operation({
  id: 'listRoomEvents',
  method: 'GET',
  path: '/rooms/{room_id}/room-events',
  plane: 'control',
  tag: 'RoomEvent',
  summary: 'List the log of a Room, oldest first',
  params: RoomParams,
  query: RoomEventQuery,
  answers: { 200: listOf(RoomEventBody) },
  example: {
    answer: pageOf(ROOM_EVENT),
  },
})
