import { Type } from 'typebox'
import { ConnectionQualityReport } from '../board.ts'
import { CAPABILITIES, publishedCapabilities } from '../capabilities.ts'
import { ChatStampBody } from '../chat.ts'
import { RespondentTest } from '../connection-tests.ts'
import { listOf, nullable } from '../envelope.ts'
import {
  ConnectedRequest,
  EntryBody,
  EntryRequest,
  TicketBody,
  TicketRequest,
} from '../live-entry.ts'
import { STREAM_EVENTS } from '../live-stream.ts'
import { NOTHING, operation, pageOf, stream } from './operation.ts'
import { ListQuery, RoomParams } from './params.ts'
import { ADMISSION_REFUSALS } from './refusals.ts'
import { LAST_TEST, PARTICIPANT, ROOM, SESSION } from './samples.ts'

const TICKET = {
  ticket: 'eyJhbGciOiJFUzI1NiIsImtpZCI6InNlcnZpY2UifQ.eyJyb29tIjoiMDE5YSJ9.c2lnbmF0dXJl',
  ticket_expires_at: '2030-11-21T01:12:14.000Z',
  media: { url: 'wss://media.example.com', token: 'eyJhbGciOiJIUzI1NiJ9.eyJyb29tIjoi.c2ln' },
}

export const enterRoom = operation({
  id: 'enterRoom',
  method: 'POST',
  path: '/rooms/{room_id}/live/entry',
  plane: 'room',
  tag: 'Participant plane',
  summary: 'Enter a Room',
  description:
    'With the participant token that the tenant signed as Bearer, or, by the simple route, with the access token of the Session and a name in the body. Outside the window the times of its opening and closing are in the headers `x-window-opens-at` and `x-window-closes-at`.',
  credential: 'token or body',
  params: RoomParams,
  body: nullable(EntryRequest),
  answers: { 201: EntryBody },
  refusals: ['UNKNOWN_ROLE', ...ADMISSION_REFUSALS, 'VALIDATION_ERROR'],
  example: {
    request: { device: { browser_name: 'Chrome', browser_version: '142.0.0.0' } },
    answer: {
      ...TICKET,
      participant: {
        id: '019a3083-5ad0-7e11-b0c4-1f9f6a2ce701',
        role: 'panelist',
        display_name: 'P-07',
      },
      room: {
        id: ROOM.id,
        kind: 'interview',
        stream_resolution: '320x240',
        stream_frame_rate: 15,
        is_recorded: true,
        isRecorded: true,
        recording_consent: 'required',
      },
      session: {
        name: SESSION.name,
        starts_at: SESSION.starts_at,
        ends_at: SESSION.ends_at,
      },
      capabilities: publishedCapabilities(CAPABILITIES.panelist),
      closes_at: '2030-11-21T02:30:00.000Z',
      consent: null,
    },
  },
})

export const streamRoom = operation({
  id: 'streamRoom',
  method: 'GET',
  path: '/rooms/{room_id}/live/stream',
  plane: 'room',
  tag: 'Participant plane',
  summary: 'Follow what happens in a Room',
  description:
    'Server-sent events, with the room ticket as Bearer: first a `snapshot`, then `message`, `messages_purged`, `roster`, `presentation`, `recording`, `handouts`, `fact`, `mute_requested`, `window`, `ticket`, `removed` and `closed`, each cut to what the reader’s role may know; `removed` and `closed` are the last. Who was cut off sends the last id as `Last-Event-ID` and misses nothing. A 409 says in `x-session-released` whether the Session was `cancelled` or its Room `closed`; a 401 says in `WWW-Authenticate` by `error_description="opened elsewhere"` that the holder of the ticket has entered anew in another page.',
  params: RoomParams,
  answers: { 200: stream(STREAM_EVENTS) },
  isLong: true,
  isResumable: true,
  refusals: ADMISSION_REFUSALS,
  example: {
    answer: { event: 'messages_purged', id: '5mJ0c2VhbGVk', data: '{"visibility":"public"}' },
  },
})

export const renewTicket = operation({
  id: 'renewTicket',
  method: 'POST',
  path: '/rooms/{room_id}/live/ticket',
  plane: 'room',
  tag: 'Participant plane',
  summary: 'Renew the room ticket and the media token',
  description:
    'Without `is_connected` the media room is made anew where the provider lost it, for who has to connect again.',
  params: RoomParams,
  body: nullable(TicketRequest),
  answers: { 201: TicketBody },
  refusals: ADMISSION_REFUSALS,
  example: {
    request: { is_connected: true },
    answer: TICKET,
  },
})

export const reportConnected = operation({
  id: 'reportConnected',
  method: 'POST',
  path: '/rooms/{room_id}/live/connected',
  plane: 'room',
  tag: 'Participant plane',
  summary: 'Say that the media connection is up',
  description:
    '204 when the media provider agrees; 202 when it does not know of the connection yet.',
  params: RoomParams,
  body: ConnectedRequest,
  answers: { 202: Type.Object({}), 204: NOTHING },
  refusals: ADMISSION_REFUSALS,
  example: {
    request: { media_sid: 'PA_mT5x2JwqkK4d' },
    answer: {},
  },
})

export const reportLine = operation({
  id: 'reportLine',
  method: 'POST',
  path: '/rooms/{room_id}/live/line',
  plane: 'room',
  tag: 'Participant plane',
  summary: 'Say how good the line is',
  description:
    'When it changes, at most every five seconds; more often is 429 with `Retry-After`. Shown to operators on the board, to them and moderators in the roster of the room (`line`).',
  params: RoomParams,
  body: ConnectionQualityReport,
  answers: { 204: NOTHING },
  refusals: [...ADMISSION_REFUSALS, 'RATE_LIMIT_EXCEEDED'],
  example: {
    request: { quality: 'good' },
  },
})

export const listRespondentTests = operation({
  id: 'listRespondentTests',
  method: 'GET',
  path: '/rooms/{room_id}/live/respondent-tests',
  plane: 'room',
  tag: 'Participant plane',
  summary: 'List how the respondents’ connection tests ended',
  description:
    'For moderators and operators, by a participant token or a room ticket: the respondents whom the room has seen, each with the newest result of its external reference.',
  credential: 'ticket or token',
  params: RoomParams,
  answers: { 200: Type.Object({ items: Type.Array(RespondentTest) }) },
  refusals: ['UNKNOWN_ROLE', 'VALIDATION_ERROR', ...ADMISSION_REFUSALS],
  example: {
    answer: {
      items: [
        {
          participant_id: PARTICIPANT.id,
          display_name: PARTICIPANT.display_name,
          last_test: LAST_TEST,
        },
      ],
    },
  },
})

export const listChatStamps = operation({
  id: 'listChatStamps',
  method: 'GET',
  path: '/rooms/{room_id}/chat-stamps',
  plane: 'room',
  tag: 'Participant plane',
  summary: 'List the stamps that the caller’s role may send',
  description: 'An empty list for a panelist.',
  credential: 'ticket or token',
  params: RoomParams,
  query: ListQuery,
  answers: { 200: listOf(ChatStampBody) },
  refusals: ['UNKNOWN_ROLE', ...ADMISSION_REFUSALS, 'VALIDATION_ERROR'],
  example: {
    answer: pageOf({ visibility: 'private', identifier: 'ask_later' }),
  },
})
