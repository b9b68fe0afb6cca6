import { listOf } from '../envelope.ts'
import { RecordingCompletenessBody, RecordingTimelineBody } from '../recording-reports.ts'
import {
  CompleteUpload,
  DownloadUrlQuery,
  ProcessedRecordingRequest,
  ProcessedRecordingRequestKinds,
  ProcessedRecordingBody,
  RecordingBody,
  SignedUrlBody,
} from '../recordings.ts'
import { ExportQuery, PlaybackBody, PlaybackQuery, RecordingActivityBody } from '../review.ts'
import { NOTHING, operation, pageOf } from './operation.ts'
import { ListQuery, RecordingParams, RoomParams } from './params.ts'
import { ACTIVITY, PLAYBACK } from './samples-of-reviews.ts'
import { COMPLETENESS, DOWNLOAD_URL, PROCESSED_RECORDING, RECORDING, TIMELINE } from './samples.ts'

export const listRecordings = operation({
  id: 'listRecordings',
  method: 'GET',
  path: '/rooms/{room_id}/recordings',
  plane: 'control',
  tag: 'Recordings',
  summary: 'List the recordings of a room',
  description:
    'Returns the recordings of the room, oldest first. A room may have several, for example after a moderator stopped and started again. The files have URLs of their own.',
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
  summary: 'Get a recording',
  description:
    'Returns the status and the size of a recording. Use it to check progress if you missed the webhook `recording.status_changed`. It does not return the file.',
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
  viewerMay: 'download',
  tag: 'Recordings',
  summary: 'Create a download URL of a recording',
  description:
    'Returns a signed URL of the file. Request it when a user wants to watch or download the recording. The URL works without a credential until it expires. The service logs each URL it issues. Whether the user may watch the recording is your decision. Extension: a viewer token that may `download` works in place of the API key.',
  params: RecordingParams,
  query: DownloadUrlQuery,
  answers: { 200: SignedUrlBody },
  hasNoHead: true,
  refusals: ['RECORDING_NOT_AVAILABLE'],
  example: {
    answer: DOWNLOAD_URL,
  },
})

export const getRecordingPlayback = operation({
  id: 'getRecordingPlayback',
  method: 'GET',
  path: '/recordings/{recording_id}/playback',
  plane: 'control',
  viewerMay: 'watch',
  tag: 'Extensions',
  summary: 'Create an address for a player',
  description:
    'Returns a signed address of the file that a `<video>` element plays. It works for five minutes at most; request another one before that, and whenever the player fails. The access log notes each of them. An individual recording is an archive and is refused. A viewer token that may `watch` works in place of the API key.',
  params: RecordingParams,
  query: PlaybackQuery,
  answers: { 200: PlaybackBody },
  hasNoHead: true,
  refusals: ['RECORDING_NOT_AVAILABLE', 'PROCESSED_RECORDING_NOT_AVAILABLE'],
  example: { answer: PLAYBACK },
})

export const getRecordingActivity = operation({
  id: 'getRecordingActivity',
  method: 'GET',
  path: '/recordings/{recording_id}/activity',
  plane: 'control',
  viewerMay: 'watch',
  tag: 'Extensions',
  summary: 'Get who speaks when',
  description:
    'Returns, for each moderator and panelist, when they speak and how loud each second is, as measured when the file was composed. `people` is empty for individual recordings, and for those made before version 0.6. A viewer token that may `watch` works in place of the API key.',
  params: RecordingParams,
  answers: { 200: RecordingActivityBody },
  example: { answer: ACTIVITY },
})

export const getRecordingExportUrl = operation({
  id: 'getRecordingExportUrl',
  method: 'GET',
  path: '/recordings/{recording_id}/export-url',
  plane: 'control',
  viewerMay: 'download',
  tag: 'Extensions',
  summary: 'Create an address of an export',
  description:
    'Returns a signed address of everything of a recording as one ZIP, or of its comments, markers or clips as CSV. The file is made while it is downloaded. The address works for five minutes; a download that has begun goes on. The access log notes it. A viewer token that may `download` works in place of the API key, and gets what it may read.',
  params: RecordingParams,
  query: ExportQuery,
  answers: { 200: SignedUrlBody },
  hasNoHead: true,
  refusals: ['RECORDING_NOT_AVAILABLE'],
  example: {
    answer: {
      url: 'https://interviews.example.com/exports/eyJhbGciOi',
      expires_at: '2030-11-21T05:05:00.000Z',
    },
  },
})

export const getRecordingCompleteness = operation({
  id: 'getRecordingCompleteness',
  method: 'GET',
  path: '/recordings/{recording_id}/completeness',
  plane: 'control',
  viewerMay: 'watch',
  tag: 'Extensions',
  summary: 'Get what a recording lacks',
  description:
    'Compares, for each moderator and panelist, how long the person should be in the recording with how long they are. A person should be in it while present with a track, and while the recording was started and not paused. Each gap has its times and a reason. The room event `recording.incomplete` reports a finished recording with gaps. A viewer token that may `watch` works in place of the API key.',
  params: RecordingParams,
  answers: { 200: RecordingCompletenessBody },
  example: {
    answer: COMPLETENESS,
  },
})

export const getRecordingTimeline = operation({
  id: 'getRecordingTimeline',
  method: 'GET',
  path: '/recordings/{recording_id}/timeline',
  plane: 'control',
  viewerMay: 'watch',
  tag: 'Extensions',
  summary: 'Get the timeline of a recording',
  description:
    'Returns when the room was recorded, and the room events of that time with their place in the file, oldest first. Use it to show markers and handouts next to a player. Besides the room events there are `participant.entered`, `participant.left` and `chat.message`. Events of a pause are left out. A viewer token that may `watch` works in place of the API key. Without `staff` it reads markers that are not private, handouts, shared screens, public chat, and what happened to the recording; it does not read who entered or observed, questions, calls for help, ratings, bans or consent.',
  params: RecordingParams,
  query: ListQuery,
  answers: { 200: RecordingTimelineBody },
  example: {
    answer: TIMELINE,
  },
})

export const deleteRecording = operation({
  id: 'deleteRecording',
  method: 'DELETE',
  path: '/recordings/{recording_id}',
  plane: 'control',
  tag: 'Recordings',
  summary: 'Delete a recording',
  description:
    'Deletes the recording, its file, its processed recording, its clips, the reels that show it, its comments and its transcriptions permanently. A running trim, clip or transcription is cancelled. Stop the recording first: one that is started or paused cannot be deleted. A repeat returns 204.',
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
  summary: 'Create a processed recording',
  description:
    'With `trim`, the service cuts a range from the recording; the webhook `processed_recording.status_changed` reports the end. With `upload`, the response has a URL for your own file. Upload it with one PUT of at most 5 GiB, then call `complete`. A recording has at most one processed recording. To replace it, delete it first.',
  params: RecordingParams,
  body: ProcessedRecordingRequest,
  answers: { 201: ProcessedRecordingBody },
  describedBody: ProcessedRecordingRequestKinds,
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
  summary: 'Complete an upload',
  description:
    'Call it after the PUT to `upload.url` has succeeded. The service verifies that the file is there, measures its size and makes it available. Later writes to the upload URL have no effect. It does not inspect the content of the file.',
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
  summary: 'Get the processed recording',
  description:
    'Returns the trimmed or uploaded version of a recording. Use it to check progress if you missed the webhook. It returns 404 when there is none.',
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
  summary: 'Create a download URL of the processed recording',
  description:
    'Returns a signed URL of the processed file. It works without a credential until it expires. The service logs each URL it issues.',
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
  summary: 'Delete the processed recording',
  description:
    'Deletes the processed version and its file. The recording stays. Call it before you create another version. It is refused while a trim is running, and returns 204 when there is none.',
  params: RecordingParams,
  answers: { 204: NOTHING },
  refusals: ['PROCESSED_RECORDING_NOT_AVAILABLE'],
})
