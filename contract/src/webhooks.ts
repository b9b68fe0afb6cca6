import type { SummaryFacts } from './connection-tests.ts'
import type { ProcessedSource, ProcessedStatus, RecordingStatus, Role } from './vocabulary.ts'

export interface ExternalRef {
  external_type: string
  external_id: string
}

/** Data of W1 `participant.entered` (part B, "Outbound webhooks"). */
export interface ParticipantEnteredData {
  room_id: string
  session_id: string | null
  session_external_ref: ExternalRef | null
  participant: {
    id: string | null
    role: Role
    display_name: string
    external_type: string | null
    external_id: string | null
  }
  entry_history_id: number
  entered_at: string
}

/** Data of W3 `recording.status_changed`. */
export interface RecordingStatusChangedData {
  recording_id: string
  room_id: string
  session_id: string | null
  session_external_ref: ExternalRef | null
  status: RecordingStatus
  previous_status: RecordingStatus
  failure_reason: string | null
}

/** Data of W5 `connection_test.completed`. */
export interface ConnectionTestCompletedData {
  connection_test_id: string
  room_id: string
  external_ref: ExternalRef | null
  status: 'completed' | 'failed'
  summary: SummaryFacts | null
  failure_reason: string | null
  started_at: string | null
  completed_at: string
}

/** Data of W6 `transcription.completed`. */
export interface TranscriptionCompletedData {
  transcription_id: string
  recording_id: string
  room_id: string
  session_id: string | null
  session_external_ref: ExternalRef | null
  status: 'done' | 'error' | 'request_error'
  language: string
  failure_reason: string | null
}

/** Data of W7 `processed_recording.status_changed`. */
export interface ProcessedRecordingStatusChangedData {
  processed_recording_id: string
  recording_id: string
  room_id: string
  session_external_ref: ExternalRef | null
  source: ProcessedSource
  status: 'available' | 'failed'
  previous_status: ProcessedStatus
  failure_reason: string | null
}

/** Data per webhook type. `webhook.test` is sent by the operator's test command only. */
export interface WebhookData {
  'participant.entered': ParticipantEnteredData
  'recording.status_changed': RecordingStatusChangedData
  'connection_test.completed': ConnectionTestCompletedData
  'transcription.completed': TranscriptionCompletedData
  'processed_recording.status_changed': ProcessedRecordingStatusChangedData
  'webhook.test': { message: string }
}
export type WebhookType = keyof WebhookData

/** "Common envelope": the exact JSON that is signed and sent. `id` starts with `evt_`. */
export interface WebhookEnvelope<T extends WebhookType = WebhookType> {
  id: string
  version: '1'
  type: T
  occurred_at: string
  data: WebhookData[T]
}
