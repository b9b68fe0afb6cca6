import { Type } from 'typebox'
import { AdmissionCheckBody, AdmissionCheckRequest } from '../admission-check.ts'
import { ConnectionQualityReport } from '../board.ts'
import { CAPABILITIES, publishedCapabilities } from '../capabilities.ts'
import { ChatStampBody } from '../chat.ts'
import { RespondentTest } from '../connection-tests.ts'
import { listOf, named, nullable } from '../envelope.ts'
import { RoomChanges } from '../live-changes.ts'
import {
  ConnectedRequest,
  EntryBody,
  EntryRequest,
  TicketBody,
  TicketRequest,
} from '../live-entry.ts'
import { STREAM_EVENTS } from '../live-stream.ts'
import { NOTHING, operation, pageOf, stream } from './operation.ts'
import { FollowQuery, ListQuery, RoomParams } from './params.ts'
import { ADMISSION_REFUSALS } from './refusals.ts'
import { LAST_TEST, PARTICIPANT, ROOM, SESSION } from './samples.ts'

const TICKET = {
  ticket: 'eyJhbGciOiJFUzI1NiIsImtpZCI6InNlcnZpY2UifQ.eyJyb29tIjoiMDE5YSJ9.c2lnbmF0dXJl',
  ticket_expires_at: '2030-11-21T01:12:14.000Z',
  media: { url: 'wss://media.example.com', token: 'eyJhbGciOiJIUzI1NiJ9.eyJyb29tIjoi.c2ln' },
}

const CONSENTS = { recording: 'pending', observation: 'not_asked' }

const CONSENT_TEXTS = [
  {
    language: 'en',
    version: '2030-04',
    company: 'Example Research Ltd',
    purpose: 'To analyse how people use the product.',
    retention: 'For one year, then deleted.',
    contact: 'privacy@example.com',
  },
]

export const checkAdmission = operation({
  id: 'checkAdmission',
  method: 'POST',
  path: '/rooms/{room_id}/live/admission-check',
  plane: 'room',
  tag: 'Participant plane',
  summary: 'Check whether one may enter',
  description:
    'The room page calls it before it asks for a camera, with the same credential as for entering. It admits nobody, records nothing, and refuses as entering would. Before the time window it does not refuse: `is_open` is false and `opens_at` says when entry is possible.',
  credential: 'token or body',
  params: RoomParams,
  body: nullable(AdmissionCheckRequest),
  answers: { 200: AdmissionCheckBody },
  refusals: ['UNKNOWN_ROLE', ...ADMISSION_REFUSALS, 'VALIDATION_ERROR'],
  example: {
    request: {},
    answer: {
      now: '2030-11-21T00:57:14.000Z',
      is_open: true,
      opens_at: '2030-11-21T00:30:00.000Z',
      closes_at: '2030-11-21T02:30:00.000Z',
      role: 'panelist',
      display_name: 'P-07',
      session: {
        name: SESSION.name,
        starts_at: SESSION.starts_at,
        ends_at: SESSION.ends_at,
      },
      is_recorded: true,
      recording_consent: 'required',
      is_consent_obtained: false,
      observation_consent: 'informed',
      consents: CONSENTS,
      consent_texts: CONSENT_TEXTS,
    },
  },
})

export const enterRoom = operation({
  id: 'enterRoom',
  method: 'POST',
  path: '/rooms/{room_id}/live/entry',
  plane: 'room',
  tag: 'Participant plane',
  summary: 'Enter a room',
  description:
    'The room page calls it to admit a person. Authenticate with the participant token that your backend signed. On the simple route, send the access token of the session and a name instead. The response has a room ticket for all other calls and a media token. While a consent is pending that the room requires, or a recording that runs, the media token does not allow to publish: renew the ticket after the answer. Outside the time window, the headers `x-window-opens-at` and `x-window-closes-at` say when entry is possible.',
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
        recording_consent: 'required',
        observation_consent: 'informed',
      },
      session: {
        name: SESSION.name,
        starts_at: SESSION.starts_at,
        ends_at: SESSION.ends_at,
      },
      capabilities: publishedCapabilities(CAPABILITIES.panelist),
      closes_at: '2030-11-21T02:30:00.000Z',
      consents: CONSENTS,
      consent_texts: CONSENT_TEXTS,
      return_url: 'https://example.com/thanks',
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
  summary: 'Follow a room',
  description:
    'Server-sent events with everything that happens in the room, filtered by role. The first event is a `snapshot` of the current state. The last one is `removed` or `closed`. After an interruption, send the last id as `Last-Event-ID` and miss nothing. On 409, `x-session-released` says whether the session was cancelled or the room closed. On 401, `WWW-Authenticate` has `error_description="opened elsewhere"` when the person entered on another page.',
  params: RoomParams,
  answers: { 200: stream(STREAM_EVENTS) },
  isLong: true,
  hasNoHead: true,
  isResumable: true,
  refusals: ADMISSION_REFUSALS,
  example: {
    answer: { event: 'messages_purged', id: '5mJ0c2VhbGVk', data: '{"visibility":"public"}' },
  },
})

export const listChanges = operation({
  id: 'listChanges',
  method: 'GET',
  path: '/rooms/{room_id}/live/changes',
  plane: 'room',
  tag: 'Participant plane',
  summary: 'Read what happened in a room',
  description:
    'The events of the stream as a plain answer, for readers behind a proxy that holds streams back. It returns what followed `after`, or a `snapshot` where there is nothing to continue. Repeat it every two seconds with the `cursor` of the answer before. The ids of stream events are cursors, too. It does not renew the ticket.',
  params: RoomParams,
  query: FollowQuery,
  answers: { 200: RoomChanges },
  refusals: ADMISSION_REFUSALS,
  example: {
    answer: {
      events: [{ name: 'messages_purged', data: { visibility: 'public' } }],
      cursor: '5mJ0c2VhbGVk',
      now: '2030-11-21T01:12:14.000Z',
    },
  },
})

export const renewTicket = operation({
  id: 'renewTicket',
  method: 'POST',
  path: '/rooms/{room_id}/live/ticket',
  plane: 'room',
  tag: 'Participant plane',
  summary: 'Renew the room ticket',
  description:
    'Returns a new room ticket and a new media token. Call it before the ticket expires, or when the media connection has to be made again. After a connection that did not come up, or was lost, send `is_connected: false`: the service then first makes sure that the media room exists.',
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
  summary: 'Report that media is connected',
  description:
    'The room page calls it when its media connection is up, so that the entry is recorded without delay. It returns 204 when the media server confirms the connection, and 202 when it does not know it yet. It does not connect anything.',
  params: RoomParams,
  body: ConnectedRequest,
  answers: {
    202: named('Acknowledgement', Type.Object({}, { description: 'Nothing more to say.' })),
    204: NOTHING,
  },
  refusals: ADMISSION_REFUSALS,
  example: {
    request: { media_sid: 'PA_mT5x2JwqkK4d' },
    answer: {},
  },
})

export const reportConnectionQuality = operation({
  id: 'reportConnectionQuality',
  method: 'POST',
  path: '/rooms/{room_id}/live/line',
  plane: 'room',
  tag: 'Participant plane',
  summary: 'Report connection quality',
  description:
    'The room page calls it when the quality of its connection changes, and when its microphone falls silent or is heard again, at most every five seconds. More frequent reports are 429 with `Retry-After`. Operators see it on the board; moderators and operators see it in the participants list as `line` and `is_microphone_silent`. Other roles do not.',
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
  summary: "List the respondents' connection tests",
  description:
    'Returns each respondent that the room has seen, with the newest test result. For moderators and operators, with a participant token or a room ticket. It does not return the measurements in full.',
  credential: 'ticket or token',
  params: RoomParams,
  answers: {
    200: named(
      'RespondentTests',
      Type.Object(
        { items: Type.Array(RespondentTest, { description: 'The respondents.' }) },
        { description: 'The respondents with their newest test results.' },
      ),
    ),
  },
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
  summary: 'List the stamps you may send',
  description:
    'Returns the predefined reactions of your role. Send one as a message with `content_type` `stamp`. The list is empty for panelists. The service has no labels or images for them.',
  credential: 'ticket or token',
  params: RoomParams,
  query: ListQuery,
  answers: { 200: listOf(ChatStampBody) },
  refusals: ['UNKNOWN_ROLE', ...ADMISSION_REFUSALS, 'VALIDATION_ERROR'],
  example: {
    answer: pageOf({ visibility: 'private', identifier: 'ask_later' }),
  },
})
