import { type Static, Type } from 'typebox'
import { SummaryFacts } from './connection-tests.ts'
import { DateTime, nullable, oneOf, Uuid } from './envelope.ts'
import { PROCESSED_SOURCES, PROCESSED_STATUSES, RECORDING_STATUSES, ROLES } from './vocabulary.ts'

const Text = nullable(Type.String())

export const ExternalRef = Type.Object({ external_type: Type.String(), external_id: Type.String() })
export type ExternalRef = Static<typeof ExternalRef>

/** The Room of a fact, with its Session where it has one. */
const Place = {
  room_id: Uuid,
  session_id: nullable(Uuid),
  session_external_ref: nullable(ExternalRef),
}

/** Data of W1 `participant.entered` (part B, "Outbound webhooks"). */
export const ParticipantEnteredData = Type.Object({
  ...Place,
  participant: Type.Object({
    id: nullable(Uuid),
    role: oneOf(ROLES),
    display_name: Type.String(),
    external_type: Text,
    external_id: Text,
  }),
  entry_history_id: Type.Integer(),
  entered_at: DateTime,
})
export type ParticipantEnteredData = Static<typeof ParticipantEnteredData>

/** Data of W3 `recording.status_changed`. */
export const RecordingStatusChangedData = Type.Object({
  recording_id: Uuid,
  ...Place,
  status: oneOf(RECORDING_STATUSES),
  /** Null when the recording began. */
  previous_status: nullable(oneOf(RECORDING_STATUSES)),
  failure_reason: Text,
})
export type RecordingStatusChangedData = Static<typeof RecordingStatusChangedData>

/** Data of W5 `connection_test.completed`. */
export const ConnectionTestCompletedData = Type.Object({
  connection_test_id: Uuid,
  room_id: Uuid,
  external_ref: nullable(ExternalRef),
  status: oneOf(['completed', 'failed'] as const),
  summary: nullable(SummaryFacts),
  failure_reason: Text,
  started_at: nullable(DateTime),
  completed_at: DateTime,
})
export type ConnectionTestCompletedData = Static<typeof ConnectionTestCompletedData>

/** Data of W6 `transcription.completed`. */
export const TranscriptionCompletedData = Type.Object({
  transcription_id: Uuid,
  recording_id: Uuid,
  ...Place,
  status: oneOf(['done', 'error', 'request_error'] as const),
  language: Type.String(),
  failure_reason: Text,
})
export type TranscriptionCompletedData = Static<typeof TranscriptionCompletedData>

/** Data of W7 `processed_recording.status_changed`. */
export const ProcessedRecordingStatusChangedData = Type.Object({
  processed_recording_id: Uuid,
  recording_id: Uuid,
  room_id: Uuid,
  session_external_ref: nullable(ExternalRef),
  source: oneOf(PROCESSED_SOURCES),
  status: oneOf(['available', 'failed'] as const),
  previous_status: oneOf(PROCESSED_STATUSES),
  failure_reason: Text,
})
export type ProcessedRecordingStatusChangedData = Static<typeof ProcessedRecordingStatusChangedData>

/** Data per webhook type. `webhook.test` is sent by the operator's test command only. */
export const WEBHOOK_DATA = {
  'participant.entered': ParticipantEnteredData,
  'recording.status_changed': RecordingStatusChangedData,
  'connection_test.completed': ConnectionTestCompletedData,
  'transcription.completed': TranscriptionCompletedData,
  'processed_recording.status_changed': ProcessedRecordingStatusChangedData,
  'webhook.test': Type.Object({ message: Type.String() }),
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
