import { CAPABILITIES } from '../capabilities.ts'
import { type Operations, pageOf } from './operation.ts'
import { LAST_TEST, PARTICIPANT, ROOM, SESSION } from './samples.ts'

const TICKET = {
  ticket: 'eyJhbGciOiJFUzI1NiIsImtpZCI6InNlcnZpY2UifQ.eyJyb29tIjoiMDE5YSJ9.c2lnbmF0dXJl',
  ticket_expires_at: '2030-11-21T01:12:14.000Z',
  media: { url: 'wss://media.example.com', token: 'eyJhbGciOiJIUzI1NiJ9.eyJyb29tIjoi.c2ln' },
}
const GATE = ['SESSION_RELEASED', 'PARTICIPANT_BANNED', 'OUTSIDE_TIME_WINDOW'] as const

/** What the page in a browser calls. */
export const LIVE_OPERATIONS: Operations = {
  'POST /rooms/{room_id}/live/entry': {
    id: 'enterRoom',
    summary: 'Enter a Room',
    description:
      'With the participant token that the tenant signed as Bearer, or, by the simple route, with the access token of the Session and a name in the body. Outside the window the times of its opening and closing are in the headers `x-window-opens-at` and `x-window-closes-at`.',
    refusals: ['UNKNOWN_ROLE', ...GATE, 'VALIDATION_ERROR'],
    isOpenToo: true,
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
        isRecorded: true,
        recording_consent: 'required',
      },
      session: {
        name: SESSION.name,
        starts_at: SESSION.starts_at,
        ends_at: SESSION.ends_at,
      },
      capabilities: CAPABILITIES.panelist,
      closes_at: '2030-11-21T02:30:00.000Z',
      consent: null,
    },
  },
  'GET /rooms/{room_id}/live/stream': {
    id: 'streamRoom',
    summary: 'Follow what happens in a Room',
    description:
      'Server-sent events, with the room ticket as Bearer: first a `snapshot`, then `message`, `messages_purged`, `roster`, `presentation`, `recording`, `handouts`, `fact`, `mute_requested`, `window`, `ticket`, `removed` and `closed`, each cut to what the reader’s role may know; `removed` and `closed` are the last. Who was cut off sends the last id as `Last-Event-ID` and misses nothing. A 409 says in `x-session-released` whether the Session was `cancelled` or its Room `closed`; a 401 says in `WWW-Authenticate` by `error_description="opened elsewhere"` that the holder of the ticket has entered anew in another page.',
    isResumable: true,
    refusals: GATE,
    plainAnswer: 'event: messages_purged\nid: 5mJ0c2VhbGVk\ndata: {"visibility":"public"}\n\n',
  },
  'POST /rooms/{room_id}/live/ticket': {
    id: 'renewTicket',
    summary: 'Renew the room ticket and the media token',
    refusals: GATE,
    answer: TICKET,
  },
  'POST /rooms/{room_id}/live/connected': {
    id: 'reportConnected',
    summary: 'Say that the media connection is up',
    description:
      '204 when the media provider agrees; 202 when it does not know of the connection yet.',
    refusals: GATE,
    request: { media_sid: 'PA_mT5x2JwqkK4d' },
    answer: {},
  },
  'POST /rooms/{room_id}/live/line': {
    id: 'reportLine',
    summary: 'Say how good the line is',
    description:
      'When it changes, at most every five seconds; more often is 429 with `Retry-After`. Shown to operators on the board, to them and moderators in the roster of the room (`line`).',
    refusals: [...GATE, 'RATE_LIMIT_EXCEEDED'],
    request: { quality: 'good' },
  },
  'GET /rooms/{room_id}/live/respondent-tests': {
    id: 'listRespondentTests',
    summary: 'List how the respondents’ connection tests ended',
    description:
      'For moderators and operators, by a participant token or a room ticket: the respondents whom the room has seen, each with the newest result of its external reference.',
    refusals: ['UNKNOWN_ROLE', 'VALIDATION_ERROR', ...GATE],
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
  'GET /rooms/{room_id}/chat-stamps': {
    id: 'listChatStamps',
    summary: 'List the stamps that the caller’s role may send',
    description: 'An empty list for a panelist.',
    refusals: ['UNKNOWN_ROLE', ...GATE, 'VALIDATION_ERROR'],
    answer: pageOf({ visibility: 'private', identifier: 'ask_later' }),
  },
}
