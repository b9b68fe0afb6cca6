import { type Static, Type } from 'typebox'
import { DateTime, LanguageCode, nullable, oneOf, Uuid } from './envelope.ts'
import {
  DOWNLOAD_URL_DEFAULT_SEC,
  DOWNLOAD_URL_MAX_SEC,
  DOWNLOAD_URL_MIN_SEC,
  RECORDING_LENGTH_MAX_SEC,
} from './limits.ts'
import {
  OUTPUT_MODES,
  PROCESSED_SOURCES,
  PROCESSED_STATUSES,
  type ProcessedSource,
  RECORDING_STATUSES,
  TRANSCRIPTION_ENGINES,
  TRANSCRIPTION_KINDS,
  TRANSCRIPTION_STATUSES,
} from './vocabulary.ts'

const Seconds = Type.Number({ minimum: 0, maximum: RECORDING_LENGTH_MAX_SEC })
const STRICT = { additionalProperties: false } as const

export const RecordingBody = Type.Object({
  id: Uuid,
  room_id: Uuid,
  provider_archive_id: Type.String(),
  status: oneOf(RECORDING_STATUSES),
  output_mode: oneOf(OUTPUT_MODES),
  size: nullable(Type.Integer()),
  duration_sec: nullable(Type.Number()),
  created_at: DateTime,
  updated_at: DateTime,
})
export type RecordingBody = Static<typeof RecordingBody>

export const DownloadUrlQuery = Type.Object(
  {
    expires_in_seconds: Type.Optional(
      Type.Integer({
        minimum: DOWNLOAD_URL_MIN_SEC,
        maximum: DOWNLOAD_URL_MAX_SEC,
        default: DOWNLOAD_URL_DEFAULT_SEC,
      }),
    ),
  },
  STRICT,
)

/** A signed address and when it ends. */
export const SignedUrlBody = Type.Object({ url: Type.String(), expires_at: DateTime })
export type SignedUrlBody = Static<typeof SignedUrlBody>

const exceptFor = (source: ProcessedSource) => ({
  properties: { source: { not: { const: source } } },
})

/** Body of `POST .../processed-recording`: a trim names its range, an upload must not. */
export const NewProcessedRecording = Type.Object(
  {
    source: oneOf(PROCESSED_SOURCES),
    trim_start_sec: Type.Optional(Seconds),
    trim_end_sec: Type.Optional(Seconds),
  },
  {
    ...STRICT,
    allOf: [
      { if: exceptFor('trim'), else: { required: ['trim_start_sec', 'trim_end_sec'] } },
      {
        if: exceptFor('upload'),
        else: { properties: { trim_start_sec: false, trim_end_sec: false } },
      },
    ],
  },
)
export type NewProcessedRecording = Static<typeof NewProcessedRecording>

/** The same as readers of the API description understand it. */
export const NewProcessedRecordingKinds = Type.Union([
  Type.Object(
    {
      source: oneOf(['trim'] as const),
      trim_start_sec: Seconds,
      trim_end_sec: { ...Seconds, description: 'After `trim_start_sec`.' },
    },
    STRICT,
  ),
  Type.Object({ source: oneOf(['upload'] as const) }, STRICT),
])

/** Optional body of `POST .../processed-recording/complete`. */
export const CompleteUpload = nullable(
  Type.Object({ duration_sec: Type.Optional(nullable(Seconds)) }, STRICT),
)

export const ProcessedRecordingBody = Type.Object({
  id: Uuid,
  recording_id: Uuid,
  source: oneOf(PROCESSED_SOURCES),
  trim_start_sec: nullable(Type.Number()),
  trim_end_sec: nullable(Type.Number()),
  status: oneOf(PROCESSED_STATUSES),
  size: nullable(Type.Integer()),
  duration_sec: nullable(Type.Number()),
  failure_reason: nullable(Type.String()),
  created_at: DateTime,
  updated_at: DateTime,
  /** Only in the answer that made a `source=upload`. */
  upload: Type.Optional(SignedUrlBody),
})
export type ProcessedRecordingBody = Static<typeof ProcessedRecordingBody>

/** Optional body of `POST /recordings/{recording_id}/transcriptions`. */
export const NewTranscription = nullable(
  Type.Object(
    {
      language: Type.Optional(LanguageCode),
      translate: Type.Optional(Type.Boolean()),
      provider: Type.Optional(oneOf(TRANSCRIPTION_ENGINES)),
    },
    STRICT,
  ),
)
export type NewTranscription = Static<typeof NewTranscription>

export const TranscriptionBody = Type.Object({
  id: Uuid,
  recording_id: Uuid,
  room_id: Uuid,
  provider: oneOf(TRANSCRIPTION_ENGINES),
  provider_transcription_id: nullable(Type.String()),
  status: oneOf(TRANSCRIPTION_STATUSES),
  language: Type.String(),
  kind: oneOf(TRANSCRIPTION_KINDS),
  result_url: nullable(Type.String()),
  created_at: DateTime,
  updated_at: DateTime,
})
export type TranscriptionBody = Static<typeof TranscriptionBody>
