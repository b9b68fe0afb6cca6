import type { JobRequest } from '../../../platform/jobs/job.ts'
import type { Transcription } from './transcription.ts'

export const TRANSCRIBE_KIND = 'transcribe'

type TranscriptionName = Pick<Transcription, 'id' | 'tenantId' | 'recordingId'>

export function transcribeRequest({ id, tenantId, recordingId }: TranscriptionName): JobRequest {
  return { kind: TRANSCRIBE_KIND, key: id, payload: { tenantId, recordingId } }
}
