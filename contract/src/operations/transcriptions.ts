import { listOf } from '../envelope.ts'
import { SignedUrlBody, TranscriptionBody, TranscriptionRequest } from '../recordings.ts'
import {
  TranscriptExportQuery,
  TranscriptHitBody,
  TranscriptRevisionRequest,
  TranscriptRevisionsBody,
  TranscriptionWordsBody,
  TranscriptSearchQuery,
  WordsQuery,
} from '../transcripts.ts'
import { operation, pageOf } from './operation.ts'
import { ListQuery, RecordingParams, TranscriptionParams } from './params.ts'
import { PARTICIPANT, TRANSCRIPTION } from './samples.ts'

export const listTranscriptions = operation({
  id: 'listTranscriptions',
  method: 'GET',
  path: '/recordings/{recording_id}/transcriptions',
  plane: 'control',
  viewerMay: 'watch',
  tag: 'Transcriptions',
  summary: 'List the transcriptions of a recording',
  description:
    'Returns all transcriptions and translations of the recording, oldest first. Each finished one has a signed `result_url`. The service logs each URL it issues. Extension: a viewer token that may `watch` works in place of the API key.',
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
  viewerMay: 'staff',
  tag: 'Transcriptions',
  summary: 'Start a transcription',
  description:
    'The service transcribes every recording automatically when it becomes available. Call this for another language, another engine or an English translation. The webhook `transcription.completed` reports the end. The response does not wait for the result. Extension: a viewer token that may `staff` works in place of the API key.',
  params: RecordingParams,
  body: TranscriptionRequest,
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
  viewerMay: 'watch',
  tag: 'Transcriptions',
  summary: 'Get a transcription',
  description:
    'Returns the status. When it is `done`, the response has `result_url`, a signed URL of the WebVTT file. Each request issues a new URL, valid for 3,600 seconds, and the service logs it. Extension: a viewer token that may `watch` works in place of the API key; its URLs are valid for five minutes at most.',
  params: TranscriptionParams,
  answers: { 200: TranscriptionBody },
  hasNoHead: true,
  example: {
    answer: {
      ...TRANSCRIPTION,
      status: 'done',
      provider_transcription_id: 'job-5521',
      result_url: 'https://storage.example.com/transcriptions/019a30bd?signature=c2f8',
      sent_sec: 3126.4,
      updated_at: '2030-11-21T02:09:47.660Z',
    },
  },
})

export const getTranscriptionWords = operation({
  id: 'getTranscriptionWords',
  method: 'GET',
  path: '/transcriptions/{transcription_id}/words',
  plane: 'control',
  viewerMay: 'watch',
  tag: 'Extensions',
  summary: 'Get the words of a transcript',
  description:
    'Returns every word with its time and the person who says it, in one response: about 3 MB for two hours. 404 until the transcription is `done`, for a revision that does not exist, and for transcripts from before version 0.6. The access log notes it. A viewer token that may `watch` works in place of the API key.',
  params: TranscriptionParams,
  query: WordsQuery,
  answers: { 200: TranscriptionWordsBody },
  hasNoHead: true,
  example: {
    answer: {
      transcription_id: TRANSCRIPTION.id,
      revision: 0,
      created_at: '2030-11-21T02:09:47.660Z',
      words: [
        {
          text: 'はい',
          start_sec: 12.4,
          end_sec: 12.9,
          participant_id: PARTICIPANT.id,
          speaker: 'Hanako',
          role: 'panelist',
          confidence: 0.97,
        },
      ],
    },
  },
})

export const getTranscriptionExportUrl = operation({
  id: 'getTranscriptionExportUrl',
  method: 'GET',
  path: '/transcriptions/{transcription_id}/export-url',
  plane: 'control',
  viewerMay: 'watch',
  tag: 'Extensions',
  summary: 'Create an address of a transcript in another format',
  description:
    'Returns a signed address of the newest revision as WebVTT, SRT, text, CSV or a Word document. The file is made while it is downloaded. The address works for five minutes, and the access log notes it. 404 until the transcription is `done`, and for transcripts from before version 0.6. A viewer token that may `watch` works in place of the API key.',
  params: TranscriptionParams,
  query: TranscriptExportQuery,
  answers: { 200: SignedUrlBody },
  hasNoHead: true,
  example: {
    answer: {
      url: 'https://interviews.example.com/exports/eyJhbGciOi',
      expires_at: '2030-11-21T05:05:00.000Z',
    },
  },
})

export const searchTranscripts = operation({
  id: 'searchTranscripts',
  method: 'GET',
  path: '/transcript-search',
  plane: 'control',
  viewerMay: 'watch',
  tag: 'Extensions',
  summary: 'Search transcripts',
  description:
    'Returns the lines that contain the words, of the newest revision of every transcript: transcript by transcript, the oldest first, each in order of time. Transcripts from before version 0.6 are not searched. A viewer token that may `watch` works in place of the API key, and finds what it opens; a link that opens only a clip or a reel is refused.',
  query: TranscriptSearchQuery,
  answers: { 200: listOf(TranscriptHitBody) },
  refusals: ['NOT_FOUND'],
  example: {
    answer: pageOf({
      recording_id: TRANSCRIPTION.recording_id,
      room_id: TRANSCRIPTION.room_id,
      transcription_id: TRANSCRIPTION.id,
      language: 'ja-JP',
      kind: 'transcription',
      line: {
        start_sec: 754.2,
        end_sec: 757,
        text: '表示は見やすいと思います。',
        participant_id: PARTICIPANT.id,
        speaker: 'Hanako',
        role: 'panelist',
      },
    }),
  },
})

const REVISIONS = {
  transcription_id: TRANSCRIPTION.id,
  revisions: [
    {
      revision: 0,
      author_kind: 'engine',
      author_reference: 'engine_c',
      author_name: null,
      created_at: '2030-11-21T02:09:47.660Z',
    },
  ],
  lines: [
    {
      start_sec: 12.4,
      end_sec: 14.2,
      text: 'はい、色で選びます。',
      participant_id: PARTICIPANT.id,
      speaker: 'Hanako',
      role: 'panelist',
    },
  ],
}

export const getTranscriptRevisions = operation({
  id: 'getTranscriptRevisions',
  method: 'GET',
  path: '/transcriptions/{transcription_id}/revisions',
  plane: 'control',
  viewerMay: 'correct',
  tag: 'Extensions',
  summary: 'Get the revisions of a transcript',
  description:
    'Returns who changed the transcript and when, and the lines of the newest revision, with its ETag. 404 until the transcription is `done`, and for transcripts from before version 0.6. The access log notes it. A viewer token that may `correct` works in place of the API key.',
  params: TranscriptionParams,
  answers: { 200: TranscriptRevisionsBody },
  hasEtag: true,
  hasNoHead: true,
  example: { answer: REVISIONS },
})

export const correctTranscript = operation({
  id: 'correctTranscript',
  method: 'PUT',
  path: '/transcriptions/{transcription_id}/revisions',
  plane: 'control',
  viewerMay: 'correct',
  tag: 'Extensions',
  summary: 'Correct a transcript',
  description:
    'Makes a new revision of all lines. `result_url`, words, search and exports have the newest; revision 0 stays what the engine wrote. Words that stay keep their times. Send the ETag of the revision that you changed as `If-Match`: 412 says that somebody else was faster. A viewer token that may `correct` works in place of the API key.',
  params: TranscriptionParams,
  body: TranscriptRevisionRequest,
  // As many lines as are allowed, of five members each.
  bodyMax: { bytes: 8 * 1024 * 1024, members: 121_000 },
  answers: { 200: TranscriptRevisionsBody },
  refusals: ['PRECONDITION_FAILED', 'VALIDATION_ERROR'],
  hasEtag: true,
  needsMatch: true,
  example: {
    request: {
      lines: [
        {
          start_sec: 12.4,
          end_sec: 14.2,
          text: 'はい、色で選びます。',
          participant_id: PARTICIPANT.id,
        },
      ],
    },
    answer: {
      ...REVISIONS,
      revisions: [
        {
          revision: 1,
          author_kind: 'viewer',
          author_reference: 'researcher-12',
          author_name: 'Sato',
          created_at: '2030-11-21T08:14:02.118Z',
        },
        ...REVISIONS.revisions,
      ],
    },
  },
})
