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
import {
  CloseRoom,
  RoomRequest,
  RoomBody,
  RoomOverviewBody,
  RoomPatch,
  RoomsQuery,
  RoomSummary,
} from '../rooms.ts'
import { NOTHING, operation, pageOf } from './operation.ts'
import { ParticipantParams, RoomParams } from './params.ts'
import { ENTRY, MESSAGE, PARTICIPANT, ROOM, ROOM_EVENT, ROOM_OVERVIEW } from './samples.ts'

export const createRoom = operation({
  id: 'createRoom',
  method: 'POST',
  path: '/rooms',
  plane: 'control',
  tag: 'Rooms',
  summary: 'Book a room with its session',
  description:
    'Call it when your backend schedules an interview. It creates the session, the room and the media room together, or nothing. The response has `connect_url`, the address of the room page. Sign a participant token for each person and append it to that address. The service invites no one. After a 502 nothing is booked; retry with the same Idempotency-Key.',
  body: RoomRequest,
  answers: { 201: RoomBody },
  refusals: [
    'DUPLICATE_EXTERNAL_REF',
    'INVALID_TIME_WINDOW',
    'VALIDATION_ERROR',
    'RTC_PROVISION_FAILED',
  ],
  isKeyed: true,
  hasLocation: true,
  causesWebhooks: true,
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

export const listRooms = operation({
  id: 'listRooms',
  method: 'GET',
  path: '/rooms',
  plane: 'control',
  tag: 'Extensions',
  summary: 'List the rooms of a period',
  description:
    'Returns your rooms whose slot starts in the period, in the order of the start: closed and cancelled ones, too. Use it to compare your bookings with ours, or to see what is happening today. A room whose slot is moved while you page may appear twice or not at all. To find a room by your own record, list sessions.',
  query: RoomsQuery,
  answers: { 200: listOf(RoomOverviewBody) },
  refusals: ['VALIDATION_ERROR'],
  example: { answer: pageOf(ROOM_OVERVIEW) },
})

export const getRoom = operation({
  id: 'getRoom',
  method: 'GET',
  path: '/rooms/{room_id}',
  plane: 'control',
  tag: 'Rooms',
  summary: 'Get a room',
  description:
    'Returns the room with its session and current settings. Use it to find out whether the room is still open. It does not list who is in the room.',
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
  summary: 'Change the transcription settings of a room',
  description:
    'Sets the language or the engine of transcriptions that start from now on. Existing transcriptions stay as they are. All other settings are fixed when the room is booked. To move the slot, update the session.',
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
  makesSafe: true,
  tag: 'Rooms',
  summary: 'Close a room',
  description:
    'Ends the interview permanently. The service disconnects everyone, refuses later entries and stops the recording. Recordings, chat and logs stay readable. Closing before `starts_at`, when no one has entered, cancels the session. A repeat returns 200 and changes nothing.',
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
  summary: 'List the participants of a room',
  description:
    'Returns everyone whose participant token has been verified, oldest first. Participants are created at their first entry; you cannot create them. People on the simple route do not appear here. For who was present and when, list the entry history.',
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
  makesSafe: true,
  tag: 'Participants',
  summary: 'Ban a participant',
  description:
    'Disconnects the person and refuses every later token of the same person in this room, in any role. The room event `participant.banned` records the reason. There is no way to lift a ban. A repeat returns 200 and records nothing new.',
  params: ParticipantParams,
  body: BanRequest,
  answers: { 200: BanBody },
  isUrgent: true,
  isKeyed: true,
  example: {
    request: { reason: 'Shared confidential material' },
    answer: { participant_id: PARTICIPANT.id, status: 'banned' },
  },
})

export const listEntryHistories = operation({
  id: 'listEntryHistories',
  method: 'GET',
  path: '/rooms/{room_id}/entry-histories',
  plane: 'control',
  tag: 'EntryHistory',
  summary: 'List the entry history of a room',
  description:
    'Returns one row for each media connection, oldest first. Use it to see who attended and for how long. A person who reconnects may have several rows. The service states facts; whether someone attended is your decision.',
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
  summary: 'List the chat messages of a room',
  description:
    'Returns messages of every visibility, oldest first. Deciding which of your users may see private messages is up to you. URLs of attachments are valid for a short time only.',
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
  summary: 'Delete the chat messages of a room',
  description:
    'Deletes all messages, or those of one visibility. Their files are deleted soon afterwards. The room event `chat.purged` records how many messages were deleted. It returns 204 even if there were none. You cannot delete a single message.',
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
  summary: 'List the room events',
  description:
    'Returns what happened in the room, oldest first. Use it as an audit log, or to place markers next to a recording. The log is read-only, and new event types may appear.',
  params: RoomParams,
  query: RoomEventQuery,
  answers: { 200: listOf(RoomEventBody) },
  example: {
    answer: pageOf(ROOM_EVENT),
  },
})
