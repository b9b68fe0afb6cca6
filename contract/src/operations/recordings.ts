import { NewProcessedRecordingKinds } from '../recordings.ts'
import { type Operations, pageOf } from './operation.ts'
import { DOWNLOAD_URL, PROCESSED_RECORDING, RECORDING, TRANSCRIPTION } from './samples.ts'

export const RECORDING_OPERATIONS: Operations = {
  'GET /rooms/{room_id}/recordings': {
    id: 'listRecordings',
    summary: 'List the Recordings of a Room, oldest first',
    answer: pageOf(RECORDING),
  },
  'GET /recordings/{recording_id}': {
    id: 'getRecording',
    summary: 'Get a Recording',
    answer: RECORDING,
  },
  'GET /recordings/{recording_id}/download-url': {
    id: 'getRecordingDownloadUrl',
    summary: 'Get a signed URL of the file',
    description: 'Every URL that is issued is logged.',
    refusals: ['RECORDING_NOT_AVAILABLE'],
    answer: DOWNLOAD_URL,
  },
  'DELETE /recordings/{recording_id}': {
    id: 'deleteRecording',
    summary: 'Delete a Recording, its files and its Transcriptions',
    description: 'Idempotent: a Recording of one’s own that is gone answers 204 again.',
    refusals: ['RECORDING_NOT_AVAILABLE'],
    isKeyed: true,
  },
}

export const PROCESSED_RECORDING_OPERATIONS: Operations = {
  'POST /recordings/{recording_id}/processed-recording': {
    id: 'createProcessedRecording',
    summary: 'Start a trim, or get a signed URL for an upload',
    description:
      'At most one per Recording. An upload is one PUT of at most 5 GB to `upload.url`, then `complete`.',
    refusals: ['RECORDING_NOT_AVAILABLE', 'PROCESSED_RECORDING_ALREADY_EXISTS', 'VALIDATION_ERROR'],
    isKeyed: true,
    hasLocation: true,
    body: NewProcessedRecordingKinds,
    request: { source: 'upload' },
    answer: {
      ...PROCESSED_RECORDING,
      upload: {
        url: 'https://storage.example.com/uploads/019a30c4?signature=5d0e',
        expires_at: '2030-11-21T04:10:00.000Z',
      },
    },
  },
  'POST /recordings/{recording_id}/processed-recording/complete': {
    id: 'completeProcessedRecording',
    summary: 'Say that the upload is complete',
    refusals: ['PROCESSED_RECORDING_NOT_AVAILABLE', 'UPLOAD_NOT_FOUND'],
    request: { duration_sec: 3600 },
    answer: {
      ...PROCESSED_RECORDING,
      status: 'available',
      size: 180000000,
      duration_sec: 3600,
      updated_at: '2030-11-21T03:25:40.310Z',
    },
  },
  'GET /recordings/{recording_id}/processed-recording': {
    id: 'getProcessedRecording',
    summary: 'Get the ProcessedRecording of a Recording',
    answer: PROCESSED_RECORDING,
  },
  'GET /recordings/{recording_id}/processed-recording/download-url': {
    id: 'getProcessedRecordingDownloadUrl',
    summary: 'Get a signed URL of the processed file',
    description: 'Every URL that is issued is logged.',
    refusals: ['PROCESSED_RECORDING_NOT_AVAILABLE'],
    answer: DOWNLOAD_URL,
  },
  'DELETE /recordings/{recording_id}/processed-recording': {
    id: 'deleteProcessedRecording',
    summary: 'Delete the ProcessedRecording and its file',
    description: 'Idempotent: 204 also when there is none.',
    refusals: ['PROCESSED_RECORDING_NOT_AVAILABLE'],
  },
}

export const TRANSCRIPTION_OPERATIONS: Operations = {
  'GET /recordings/{recording_id}/transcriptions': {
    id: 'listTranscriptions',
    summary: 'List the Transcriptions of a Recording, oldest first',
    description: 'Every `result_url` that is issued is logged.',
    answer: pageOf(TRANSCRIPTION),
  },
  'POST /recordings/{recording_id}/transcriptions': {
    id: 'startTranscription',
    summary: 'Start a Transcription or a translation',
    description:
      'Defaults come from the Room. The end of it is told by the webhook `transcription.completed`.',
    refusals: ['RECORDING_NOT_AVAILABLE', 'TRANSCRIPTION_IN_PROGRESS'],
    isKeyed: true,
    hasLocation: true,
    mayDeprecate: true,
    request: { language: 'ja-JP', translate: false, provider: 'engine_c' },
    answer: TRANSCRIPTION,
  },
  'GET /transcriptions/{transcription_id}': {
    id: 'getTranscription',
    summary: 'Get a Transcription',
    description:
      '`result_url` is signed at each read, for 3,600 seconds, once it is `done`; every one is logged.',
    answer: {
      ...TRANSCRIPTION,
      status: 'done',
      provider_transcription_id: 'job-5521',
      result_url: 'https://storage.example.com/transcriptions/019a30bd?signature=c2f8',
      updated_at: '2030-11-21T02:09:47.660Z',
    },
  },
}
