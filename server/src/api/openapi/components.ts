import {
  BoardAlarm,
  BoardBody,
  BoardPerson,
  BoardRoom,
  BoardEntryTokenBody,
} from '@interview-room/contract/board.ts'
import { ChatMessageBody, ChatStampBody } from '@interview-room/contract/chat.ts'
import {
  BaselineFacts,
  ClientFacts,
  ConnectionTestBody,
  ConnectionTestReport,
  DeviceFacts,
  LoadFacts,
  NewConnectionTest,
  SummaryFacts,
} from '@interview-room/contract/connection-tests.ts'
import { ErrorDetails, Immutable, LanguageCode } from '@interview-room/contract/envelope.ts'
import { HandoutBody, HandoutPatch, NewHandout } from '@interview-room/contract/handouts.ts'
import { ATTACHMENT_MAX_BYTES, TRANSCRIPTION_LANGUAGES } from '@interview-room/contract/limits.ts'
import { NewAttachment, SendMessage } from '@interview-room/contract/live-chat.ts'
import {
  ConnectedRequest,
  EntryBody,
  EntryRequest,
  MediaAccess,
  TicketBody,
} from '@interview-room/contract/live-entry.ts'
import {
  BanBody,
  BanRequest,
  EntryHistoryBody,
  ParticipantBody,
} from '@interview-room/contract/participants.ts'
import { HealthBody, JwksBody } from '@interview-room/contract/public.ts'
import {
  NewProcessedRecordingKinds,
  ProcessedRecordingBody,
  RecordingBody,
  SignedUrlBody,
  TranscriptionBody,
} from '@interview-room/contract/recordings.ts'
import { RoomEventBody } from '@interview-room/contract/room-events.ts'
import {
  EmbeddedSession,
  NewRoom,
  NewSession,
  RoomBody,
  RoomPatch,
  RoomSummary,
  SessionBody,
} from '@interview-room/contract/rooms.ts'
import { SessionPatch } from '@interview-room/contract/sessions.ts'
import { ExternalRef, WEBHOOK_DATA } from '@interview-room/contract/webhooks.ts'
import { errorExamples } from './error-responses.ts'
import { nameSchemas } from './name-schemas.ts'
import { webhookSchemas } from './webhooks.ts'

/** What is checked may also be absent. */
const [NEW_CONNECTION_TEST] = NewConnectionTest.anyOf

/** What the schemas of the contract are called in the description. */
const NAMED: Record<string, unknown> = {
  ErrorDetails,
  Session: SessionBody,
  SessionInRoom: EmbeddedSession,
  NewSession,
  SessionPatch,
  Room: RoomBody,
  RoomSummary,
  NewRoom,
  RoomPatch,
  TranscriptionLanguage: LanguageCode,
  Immutable,
  Participant: ParticipantBody,
  BanRequest,
  Ban: BanBody,
  EntryHistory: EntryHistoryBody,
  ChatMessage: ChatMessageBody,
  ChatStamp: ChatStampBody,
  RoomEvent: RoomEventBody,
  Recording: RecordingBody,
  SignedUrl: SignedUrlBody,
  ProcessedRecording: ProcessedRecordingBody,
  NewProcessedRecording: NewProcessedRecordingKinds,
  Transcription: TranscriptionBody,
  Handout: HandoutBody,
  NewHandout,
  HandoutPatch,
  ConnectionTest: ConnectionTestBody,
  NewConnectionTest: NEW_CONNECTION_TEST,
  ConnectionTestReport,
  ConnectionTestClient: ClientFacts,
  ConnectionTestDevices: DeviceFacts,
  ConnectionTestBaseline: BaselineFacts,
  ConnectionTestLoad: LoadFacts,
  ConnectionTestSummary: SummaryFacts,
  EntryRequest,
  SendMessage,
  NewAttachment,
  Entry: EntryBody,
  Ticket: TicketBody,
  MediaAccess,
  ConnectedRequest,
  Board: BoardBody,
  BoardRoom,
  BoardPerson,
  BoardAlarm,
  Pass: BoardEntryTokenBody,
  Health: HealthBody,
  Jwks: JwksBody,
  ExternalRef,
  ParticipantEntered: WEBHOOK_DATA['participant.entered'],
  RecordingStatusChanged: WEBHOOK_DATA['recording.status_changed'],
  ConnectionTestCompleted: WEBHOOK_DATA['connection_test.completed'],
  TranscriptionCompleted: WEBHOOK_DATA['transcription.completed'],
  ProcessedRecordingStatusChanged: WEBHOOK_DATA['processed_recording.status_changed'],
}

/** References instead of the named schemas, wherever they stand. */
export function withNames<T>(part: T): T {
  return nameSchemas(plain(part), NAMED) as T
}

function namedSchemas(): Record<string, unknown> {
  return Object.fromEntries(
    Object.entries(NAMED).map(([name, schema]) => {
      const { [name]: _itself, ...others } = NAMED
      return [name, nameSchemas(plain(schema), others)]
    }),
  )
}

/** Without what is no JSON: the schemas of the contract carry marks of their library. */
function plain(part: unknown): unknown {
  return JSON.parse(JSON.stringify(part))
}

export function components() {
  return {
    securitySchemes: SECURITY_SCHEMES,
    schemas: { ...namedSchemas(), ...REFINED_SCHEMAS, ...withNames(webhookSchemas()) },
    headers: HEADERS,
    parameters: { IdempotencyKey: IDEMPOTENCY_KEY, LastEventId: LAST_EVENT_ID },
    examples: errorExamples(),
  }
}

const SECURITY_SCHEMES = {
  apiKey: {
    type: 'apiKey',
    in: 'header',
    name: 'Authorization',
    description: '`ApiKey <key_id>.<secret>`. Authenticates the server of a tenant.',
  },
  participant: {
    type: 'http',
    scheme: 'bearer',
    bearerFormat: 'JWT',
    description: 'A participant token signed by the tenant, or the ticket that was given for it.',
  },
  operator: {
    type: 'http',
    scheme: 'bearer',
    bearerFormat: 'JWT',
    description: 'What a link to the board carries (`npm run admin -- operators board-link`).',
  },
} as const

/** What is no matter of form for us, so that its refusal can say more than a schema could. */
const PAIR = {
  dependentRequired: { external_type: ['external_id'], external_id: ['external_type'] },
}
/** Given with what it does not belong to. */
const NONE = { not: {} }
const REFINED_SCHEMAS = {
  EntryRequest: { ...EntryRequest, dependentRequired: { access_token: ['name'] } },
  NewHandout: { ...NewHandout, ...PAIR },
  NewConnectionTest: { ...NEW_CONNECTION_TEST, ...PAIR },
  ConnectionTestReport: {
    ...ConnectionTestReport,
    anyOf: [
      {
        properties: { status: { const: 'completed' }, failure_reason: NONE },
        required: ['devices', 'baseline', 'load', 'measured_sec'],
      },
      { properties: { status: { const: 'failed' } }, required: ['failure_reason'] },
    ],
  },
  SendMessage: {
    ...SendMessage,
    anyOf: [
      {
        properties: { content_type: { enum: ['text', 'stamp'] }, attachment_id: NONE },
        required: ['text'],
      },
      { properties: { content_type: { const: 'file' } }, required: ['attachment_id'] },
    ],
  },
  NewAttachment: {
    ...NewAttachment,
    properties: {
      ...NewAttachment.properties,
      size: { ...NewAttachment.properties.size, maximum: ATTACHMENT_MAX_BYTES },
    },
  },
  TranscriptionLanguage: { ...LanguageCode, enum: TRANSCRIPTION_LANGUAGES },
  Immutable: { ...Immutable, not: {} },
}

const TEXT = { type: 'string' }

const HEADERS = {
  RequestId: {
    description: 'Names this exchange in the logs; the one sent by the caller if it is usable.',
    schema: TEXT,
  },
  Location: { description: 'Address of what was made.', required: true, schema: TEXT },
  IdempotentReplayed: {
    description: '`true` when this is the kept answer to an earlier request with the same key.',
    schema: { type: 'string', enum: ['true'] },
  },
  WwwAuthenticate: {
    description:
      'RFC 9110: the scheme that is asked for; by `error_description="opened elsewhere"` of a ticket whose holder has entered anew.',
    required: true,
    schema: TEXT,
  },
  Allow: { description: 'The methods that the address has.', required: true, schema: TEXT },
  WindowOpensAt: { description: 'When entry opens (ISO 8601).', schema: TEXT },
  WindowClosesAt: { description: 'When entry closes (ISO 8601).', schema: TEXT },
  SessionReleased: {
    description: 'Whether the Session was cancelled or its Room closed.',
    schema: { type: 'string', enum: ['cancelled', 'closed'] },
  },
  RetryAfter: { description: 'Seconds to wait, where a retry may succeed.', schema: TEXT },
  Deprecation: {
    description: 'RFC 9745: since when the engine in use is deprecated. Absent for others.',
    schema: TEXT,
  },
  Sunset: { description: 'RFC 8594: when that engine may go.', schema: TEXT },
  Link: { description: 'Where the deprecation is described.', schema: TEXT },
}

const IDEMPOTENCY_KEY = {
  in: 'header',
  name: 'Idempotency-Key',
  required: false,
  description:
    'Makes a retry safe: for 24 hours the same request with the same key gets the first 2xx answer again.',
  schema: { type: 'string', pattern: '^[!-~]{1,255}$' },
}

const LAST_EVENT_ID = {
  in: 'header',
  name: 'Last-Event-ID',
  required: false,
  description:
    'The last `id` that was read: the stream goes on behind it instead of with a snapshot.',
  schema: TEXT,
}
