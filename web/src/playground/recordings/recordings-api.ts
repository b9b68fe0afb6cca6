import type {
  TranscriptionRequest,
  ProcessedRecordingBody,
  RecordingBody,
  SignedUrlBody,
  TranscriptionBody,
} from '@interview-room/contract/recordings.ts'
import { BASE, call } from '../playground-api.ts'

interface WithReason {
  failure_reason: string | null
}

export type ListedRecording = RecordingBody & WithReason
export type ListedTranscription = TranscriptionBody & WithReason

/** What was made from a recording. */
export interface Made {
  processed: ProcessedRecordingBody | null
  transcriptions: ListedTranscription[]
}

const processedAt = (id: string) => `/recordings/${id}/processed-recording`

export const recordingsApi = {
  list: (roomId: string) => call<{ recordings: ListedRecording[] }>(`/rooms/${roomId}/recordings`),
  made: (id: string) => call<Made>(`/recordings/${id}`),
  url: (id: string) => call<SignedUrlBody>(`/recordings/${id}/download-url`, { method: 'POST' }),
  remove: (id: string) => call<void>(`/recordings/${id}`, { method: 'DELETE' }),
  trim: (id: string, range: { trim_start_sec: number; trim_end_sec: number }) =>
    call<ProcessedRecordingBody>(processedAt(id), { method: 'POST', body: range }),
  processedUrl: (id: string) =>
    call<SignedUrlBody>(`${processedAt(id)}/download-url`, { method: 'POST' }),
  removeProcessed: (id: string) => call<void>(processedAt(id), { method: 'DELETE' }),
  transcribe: (id: string, order: NonNullable<TranscriptionRequest>) =>
    call<TranscriptionBody>(`/recordings/${id}/transcriptions`, { method: 'POST', body: order }),
}

/** Where the page reads a transcript from. */
export function transcriptUrl(transcriptionId: string): string {
  return `${BASE}/transcriptions/${transcriptionId}/result.vtt`
}
