import { type Operations, pageOf } from './operation.ts'
import { ENTRY, MESSAGE, PARTICIPANT, ROOM, ROOM_EVENT } from './samples.ts'

export const ROOM_OPERATIONS: Operations = {
  'POST /rooms': {
    id: 'createRoom',
    summary: 'Book a Room with its Session',
    description:
      'Room, Session and media room are made together or not at all. After a 502 nothing is left, and a retry with the same Idempotency-Key is safe.',
    refusals: ['DUPLICATE_EXTERNAL_REF', 'INVALID_TIME_WINDOW', 'RTC_PROVISION_FAILED'],
    isKeyed: true,
    hasLocation: true,
    mayDeprecate: true,
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
  'GET /rooms/{room_id}': { id: 'getRoom', summary: 'Get a Room with its Session', answer: ROOM },
  'PATCH /rooms/{room_id}': {
    id: 'patchRoom',
    summary: 'Change the transcription settings of a Room',
    description: 'Holds for transcriptions that start afterwards. Everything else is immutable.',
    refusals: ['ROOM_CLOSED', 'IMMUTABLE_FIELD'],
    mayDeprecate: true,
    request: { transcription_language: 'en-US', transcription_service: 'engine_b' },
    answer: {
      id: ROOM.id,
      kind: 'interview',
      status: 'open',
      transcription_language: 'en-US',
      transcription_service: 'engine_b',
    },
  },
  'POST /rooms/{room_id}/close': {
    id: 'closeRoom',
    summary: 'Close a Room',
    description:
      'Idempotent. Everybody is disconnected, entry is refused, a running recording is stopped and kept.',
    request: { reason: 'The interview is over' },
    answer: {
      ...ROOM,
      status: 'closed',
      session: ROOM.session && { ...ROOM.session, status: 'closed' },
    },
  },
}

export const IN_ROOM_OPERATIONS: Operations = {
  'GET /rooms/{room_id}/participants': {
    id: 'listParticipants',
    summary: 'List the Participants of a Room, oldest first',
    answer: pageOf(PARTICIPANT),
  },
  'POST /rooms/{room_id}/participants/{participant_id}/ban': {
    id: 'banParticipant',
    summary: 'Ban a Participant from a Room',
    description: 'Idempotent. Disconnected at once; every later token is refused.',
    isKeyed: true,
    request: { reason: 'Shows the material to somebody else' },
    answer: { participant_id: PARTICIPANT.id, status: 'banned' },
  },
  'GET /rooms/{room_id}/entry-histories': {
    id: 'listEntryHistories',
    summary: 'List who entered and left a Room, oldest first',
    answer: pageOf(ENTRY),
  },
  'GET /rooms/{room_id}/chat-messages': {
    id: 'listChatMessages',
    summary: 'List the chat of a Room, oldest first',
    description: 'All visibilities: who may read them is for the tenant to decide.',
    answer: pageOf(MESSAGE),
  },
  'DELETE /rooms/{room_id}/chat-messages': {
    id: 'purgeChatMessages',
    summary: 'Purge the chat of a Room, or one visibility of it',
    description: 'Files go with their messages, soon afterwards. 204 also when there was nothing.',
    isKeyed: true,
  },
  'GET /rooms/{room_id}/room-events': {
    id: 'listRoomEvents',
    summary: 'List the log of a Room, oldest first',
    answer: pageOf(ROOM_EVENT),
  },
}
