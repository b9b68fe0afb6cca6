import { listOf } from '../envelope.ts'
import {
  CompleteUpload,
  DownloadUrlQuery,
  NewProcessedRecording,
  NewProcessedRecordingKinds,
  NewTranscription,
  ProcessedRecordingBody,
  RecordingBody,
  SignedUrlBody,
  TranscriptionBody,
} from '../recordings.ts'
import { NOTHING, operation, pageOf } from './operation.ts'
import { ListQuery, RecordingParams, RoomParams, TranscriptionParams } from './params.ts'
import { DOWNLOAD_URL, PROCESSED_RECORDING, RECORDING, TRANSCRIPTION } from './samples.ts'

export const listRecordings = operation({
  id: 'listRecordings',
  method: 'GET',
  path: '/rooms/{room_id}/recordings',
  plane: 'control',
  tag: 'Recordings',
  summary: 'List the Recordings of a Room, oldest first',
  params: RoomParams,
  query: ListQuery,
  answers: { 200: listOf(RecordingBody) },
  example: {
    answer: pageOf(RECORDING),
  },
})

export const getRecording = operation({
  id: 'getRecording',
  method: 'GET',
  path: '/recordings/{recording_id}',
  plane: 'control',
  tag: 'Recordings',
  summary: 'Get a Recording',
  params: RecordingParams,
  answers: { 200: RecordingBody },
  example: {
    answer: RECORDING,
  },
})

export const getRecordingDownloadUrl = operation({
  id: 'getRecordingDownloadUrl',
  method: 'GET',
  path: '/recordings/{recording_id}/download-url',
  plane: 'control',
  tag: 'Recordings',
  summary: 'Get a signed URL of the file',
  description: 'Every URL that is issued is logged.',
  params: RecordingParams,
  query: DownloadUrlQuery,
  answers: { 200: SignedUrlBody },
  hasNoHead: true,
  refusals: ['RECORDING_NOT_AVAILABLE'],
  example: {
    answer: DOWNLOAD_URL,
  },
})

export const deleteRecording = operation({
  id: 'deleteRecording',
  method: 'DELETE',
  path: '/recordings/{recording_id}',
  plane: 'control',
  tag: 'Recordings',
  summary: 'Delete a Recording, its files and its Transcriptions',
  description: 'Idempotent: a Recording of one’s own that is gone answers 204 again.',
  params: RecordingParams,
  answers: { 204: NOTHING },
  refusals: ['RECORDING_NOT_AVAILABLE'],
  isKeyed: true,
})

export const createProcessedRecording = operation({
  id: 'createProcessedRecording',
  method: 'POST',
  path: '/recordings/{recording_id}/processed-recording',
  plane: 'control',
  tag: 'ProcessedRecording',
  summary: 'Start a trim, or get a signed URL for an upload',
  description:
    'At most one per Recording. An upload is one PUT of at most 5 GB to `upload.url`, then `complete`.',
  params: RecordingParams,
  body: NewProcessedRecording,
  answers: { 201: ProcessedRecordingBody },
  describedBody: NewProcessedRecordingKinds,
  refusals: ['RECORDING_NOT_AVAILABLE', 'PROCESSED_RECORDING_ALREADY_EXISTS', 'VALIDATION_ERROR'],
  isKeyed: true,
  hasLocation: true,
  example: {
    request: { source: 'upload' },
    answer: {
      ...PROCESSED_RECORDING,
      upload: {
        url: 'https://storage.example.com/uploads/019a30c4?signature=5d0e',
        expires_at: '2030-11-21T04:10:00.000Z',
      },
    },
  },
})

export const completeProcessedRecording = operation({
  id: 'completeProcessedRecording',
  method: 'POST',
  path: '/recordings/{recording_id}/processed-recording/complete',
  plane: 'control',
  tag: 'ProcessedRecording',
  summary: 'Say that the upload is complete',
  params: RecordingParams,
  body: CompleteUpload,
  answers: { 200: ProcessedRecordingBody },
  refusals: ['PROCESSED_RECORDING_NOT_AVAILABLE', 'UPLOAD_NOT_FOUND'],
  example: {
    request: { duration_sec: 3600 },
    answer: {
      ...PROCESSED_RECORDING,
      status: 'available',
      size: 180000000,
      duration_sec: 3600,
      updated_at: '2030-11-21T03:25:40.310Z',
    },
  },
})

export const getProcessedRecording = operation({
  id: 'getProcessedRecording',
  method: 'GET',
  path: '/recordings/{recording_id}/processed-recording',
  plane: 'control',
  tag: 'ProcessedRecording',
  summary: 'Get the ProcessedRecording of a Recording',
  params: RecordingParams,
  answers: { 200: ProcessedRecordingBody },
  example: {
    answer: PROCESSED_RECORDING,
  },
})

export const getProcessedRecordingDownloadUrl = operation({
  id: 'getProcessedRecordingDownloadUrl',
  method: 'GET',
  path: '/recordings/{recording_id}/processed-recording/download-url',
  plane: 'control',
  tag: 'ProcessedRecording',
  summary: 'Get a signed URL of the processed file',
  description: 'Every URL that is issued is logged.',
  params: RecordingParams,
  query: DownloadUrlQuery,
  answers: { 200: SignedUrlBody },
  hasNoHead: true,
  refusals: ['PROCESSED_RECORDING_NOT_AVAILABLE'],
  example: {
    answer: DOWNLOAD_URL,
  },
})

export const deleteProcessedRecording = operation({
  id: 'deleteProcessedRecording',
  method: 'DELETE',
  path: '/recordings/{recording_id}/processed-recording',
  plane: 'control',
  tag: 'ProcessedRecording',
  summary: 'Delete the ProcessedRecording and its file',
  description: 'Idempotent: 204 also when there is none.',
  params: RecordingParams,
  answers: { 204: NOTHING },
  refusals: ['PROCESSED_RECORDING_NOT_AVAILABLE'],
})

export const listTranscriptions = operation({
  id: 'listTranscriptions',
  method: 'GET',
  path: '/recordings/{recording_id}/transcriptions',
  plane: 'control',
  tag: 'Transcriptions',
  summary: 'List the Transcriptions of a Recording, oldest first',
  description: 'Every `result_url` that is issued is logged.',
  params: RecordingParams,
  query: ListQuery,
  answers: { 200: listOf(TranscriptionBody) },
  hasNoHead: true,
  example: {
    answer: pageOf(TRANSCRIPTION),
  },
})

export const startTranscription = operation({
  id: 'startTranscription',
  method: 'POST',
  path: '/recordings/{recording_id}/transcriptions',
  plane: 'control',
  tag: 'Transcriptions',
  summary: 'Start a Transcription or a translation',
  description:
    'Defaults come from the Room. The end of it is told by the webhook `transcription.completed`.',
  params: RecordingParams,
  body: NewTranscription,
  answers: { 201: TranscriptionBody },
  refusals: ['RECORDING_NOT_AVAILABLE', 'TRANSCRIPTION_IN_PROGRESS'],
  isKeyed: true,
  hasLocation: true,
  mayDeprecate: true,
  example: {
    request: { language: 'ja-JP', translate: false, provider: 'engine_c' },
    answer: TRANSCRIPTION,
  },
})

export const getTranscription = operation({
  id: 'getTranscription',
  method: 'GET',
  path: '/transcriptions/{transcription_id}',
  plane: 'control',
  tag: 'Transcriptions',
  summary: 'Get a Transcription',
  description:
    '`result_url` is signed at each read, for 3,600 seconds, once it is `done`; every one is logged.',
  params: TranscriptionParams,
  answers: { 200: TranscriptionBody },
  hasNoHead: true,
  example: {
    answer: {
      ...TRANSCRIPTION,
      status: 'done',
      provider_transcription_id: 'job-5521',
      result_url: 'https://storage.example.com/transcriptions/019a30bd?signature=c2f8',
      updated_at: '2030-11-21T02:09:47.660Z',
    },
  },
})
