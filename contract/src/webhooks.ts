import { type Static, Type } from 'typebox'
import { SummaryFacts } from './connection-tests.ts'
import {
  ConnectionTestResult,
  ProcessedSource,
  ProcessedStatus,
  RecordingStatus,
  Role,
} from './enums.ts'
import {
  about,
  DateTime,
  dateTime,
  LongInteger,
  named,
  NULLABLE_EXTERNAL_REF,
  nullable,
  string,
  Uuid,
  uuid,
} from './envelope.ts'
import { wordsOf } from './schema.ts'
import { TRIM_FAILURES, RECORDING_FAILURES, TRANSCRIPTION_FAILURES } from './vocabulary.ts'

export const ExternalRef = named(
  'ExternalRef',
  Type.Object(
    {
      external_type: string('Kind of your record.'),
      external_id: string('Id of your record.'),
    },
    { description: 'Your reference.' },
  ),
)
export type ExternalRef = Static<typeof ExternalRef>

const SessionRef = nullable(
  ExternalRef,
  'Your reference of the session. Null when the room has no session.',
)

/** The Room of an event, with its Session if it has one. */
const Place = {
  room_id: uuid('Id of the room.'),
  session_id: nullable(Uuid, 'Id of the session. Null when the room has no session.'),
  session_external_ref: SessionRef,
}

const reason = (words: string) =>
  nullable(
    Type.String(),
    `Why it failed: ${words}. Null when it did not fail. New words may be added.`,
  )

/** The words as text, such as `a`, `b` or `c`. */
function choiceOf(words: readonly string[]): string {
  const quoted = words.map((word) => `\`${word}\``)
  return `${quoted.slice(0, -1).join(', ')} or ${quoted.at(-1)}`
}

/** Data of W1 `participant.entered` (part B, "Outbound webhooks"). */
export const ParticipantEnteredData = named(
  'ParticipantEntered',
  Type.Object(
    {
      ...Place,
      participant: named(
        'EnteredParticipant',
        Type.Object(
          {
            id: nullable(Uuid, 'Id of the participant. Null on the simple route.'),
            role: Role,
            display_name: string('Name at the time of entry.'),
            ...NULLABLE_EXTERNAL_REF,
          },
          { description: 'Who entered.' },
        ),
      ),
      entry_history_id: about(LongInteger, 'Id of the row in the entry history.'),
      entered_at: dateTime('When the media connection began.'),
    },
    { description: 'Who entered which room.' },
  ),
)
export type ParticipantEnteredData = Static<typeof ParticipantEnteredData>

/** Data of W3 `recording.status_changed`. */
export const RecordingStatusChangedData = named(
  'RecordingStatusChanged',
  Type.Object(
    {
      recording_id: uuid('Id of the recording.'),
      ...Place,
      status: RecordingStatus,
      previous_status: nullable(
        RecordingStatus,
        'Status before. Null when the recording has just started.',
      ),
      failure_reason: reason(choiceOf(RECORDING_FAILURES)),
    },
    { description: 'The new status of a recording.' },
  ),
)
export type RecordingStatusChangedData = Static<typeof RecordingStatusChangedData>

/** Data of W5 `connection_test.completed`. */
export const ConnectionTestCompletedData = named(
  'ConnectionTestCompleted',
  Type.Object(
    {
      connection_test_id: uuid('Id of the connection test.'),
      room_id: uuid('Id of the room of the test.'),
      external_ref: nullable(ExternalRef, 'Your reference of the person. Null without one.'),
      status: ConnectionTestResult,
      summary: nullable(SummaryFacts, 'The measurement in short. Null when the test failed.'),
      failure_reason: reason('a word of `ConnectionTestFailure`'),
      started_at: nullable(DateTime, 'When the test started.'),
      completed_at: dateTime('When the test ended.'),
    },
    { description: 'How a connection test ended.' },
  ),
)
export type ConnectionTestCompletedData = Static<typeof ConnectionTestCompletedData>

const TranscriptionEnd = wordsOf(
  'TranscriptionResult',
  ['done', 'error', 'request_error'] as const,
  {
    about: 'How a transcription ended.',
    done: 'The result can be downloaded.',
    error: 'The engine accepted it and failed.',
    request_error: 'The engine did not accept it.',
  },
)

/** Data of W6 `transcription.completed`. */
export const TranscriptionCompletedData = named(
  'TranscriptionCompleted',
  Type.Object(
    {
      transcription_id: uuid('Id of the transcription.'),
      recording_id: uuid('Id of the recording.'),
      ...Place,
      status: TranscriptionEnd,
      language: string('The spoken language: a BCP 47 code in canonical spelling.'),
      failure_reason: reason(choiceOf(TRANSCRIPTION_FAILURES)),
    },
    { description: 'How a transcription ended.' },
  ),
)
export type TranscriptionCompletedData = Static<typeof TranscriptionCompletedData>

const ProcessedEnd = wordsOf('ProcessedRecordingResult', ['available', 'failed'] as const, {
  about: 'How a processed recording ended.',
  available: 'The file can be downloaded.',
  failed: 'The trim failed.',
})

/** Data of W7 `processed_recording.status_changed`. */
export const ProcessedRecordingStatusChangedData = named(
  'ProcessedRecordingStatusChanged',
  Type.Object(
    {
      processed_recording_id: uuid('Id of the processed recording.'),
      recording_id: uuid('Id of the recording.'),
      room_id: uuid('Id of the room.'),
      session_external_ref: SessionRef,
      source: ProcessedSource,
      status: ProcessedEnd,
      previous_status: about(ProcessedStatus, 'Status before.'),
      failure_reason: reason(choiceOf(TRIM_FAILURES)),
    },
    { description: 'The new status of a processed recording.' },
  ),
)
export type ProcessedRecordingStatusChangedData = Static<typeof ProcessedRecordingStatusChangedData>

const ClipEnd = wordsOf('ClipResult', ['available', 'failed'] as const, {
  about: 'How a clip or a reel ended.',
  available: 'The file can be downloaded.',
  failed: 'It could not be made.',
})

/** Data of `clip.status_changed`, an extension. */
const ClipStatusChangedData = named(
  'ClipStatusChanged',
  Type.Object(
    {
      clip_id: uuid('Id of the clip.'),
      recording_id: uuid('Id of the recording.'),
      room_id: uuid('Id of the room.'),
      session_external_ref: SessionRef,
      status: ClipEnd,
      failure_reason: reason(choiceOf(TRIM_FAILURES)),
    },
    { description: 'How a clip ended.' },
  ),
)

/** Data of `reel.status_changed`, an extension. */
const ReelStatusChangedData = named(
  'ReelStatusChanged',
  Type.Object(
    {
      reel_id: uuid('Id of the reel.'),
      room_id: uuid('Id of the room.'),
      session_external_ref: SessionRef,
      status: ClipEnd,
      failure_reason: reason(choiceOf(TRIM_FAILURES)),
    },
    { description: 'How a reel ended.' },
  ),
)

/** Data of `webhook.test`. */
const WebhookTestData = named(
  'WebhookTest',
  Type.Object({ message: string('A fixed sentence.') }, { description: 'A test of the endpoint.' }),
)

/** Data per webhook type. `webhook.test` is sent only on request. */
export const WEBHOOK_DATA = {
  'participant.entered': ParticipantEnteredData,
  'recording.status_changed': RecordingStatusChangedData,
  'connection_test.completed': ConnectionTestCompletedData,
  'transcription.completed': TranscriptionCompletedData,
  'processed_recording.status_changed': ProcessedRecordingStatusChangedData,
  'clip.status_changed': ClipStatusChangedData,
  'reel.status_changed': ReelStatusChangedData,
  'webhook.test': WebhookTestData,
}
export type WebhookType = keyof typeof WEBHOOK_DATA
export type WebhookData = { [T in WebhookType]: Static<(typeof WEBHOOK_DATA)[T]> }

/** "Common envelope": the exact JSON that is signed and sent. `id` starts with `evt_`. */
export interface WebhookEnvelope<T extends WebhookType = WebhookType> {
  id: string
  version: '1'
  type: T
  occurred_at: string
  data: WebhookData[T]
}
