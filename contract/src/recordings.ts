import { type Static, type TSchema, Type } from 'typebox'
import {
  OutputMode,
  ProcessedSource,
  ProcessedStatus,
  RecordingStatus,
  TranscriptionEngine,
  TranscriptionKind,
  TranscriptionStatus,
} from './enums.ts'
import {
  about,
  DateTime,
  dateTime,
  LanguageCode,
  LongInteger,
  named,
  nullable,
  oneOf,
  string,
  uuid,
} from './envelope.ts'
import {
  DOWNLOAD_URL_DEFAULT_SEC,
  DOWNLOAD_URL_MAX_SEC,
  DOWNLOAD_URL_MIN_SEC,
  RECORDING_LENGTH_MAX_SEC,
} from './limits.ts'
import { PROCESSED_SOURCES, type ProcessedSource as Source } from './vocabulary.ts'

const Seconds = Type.Number({ minimum: 0, maximum: RECORDING_LENGTH_MAX_SEC })
/** An offset into a finished recording. The schema cannot know the recording's length. */
const Position = Type.Number({ minimum: 0 })
const STRICT = { additionalProperties: false } as const

/** The composed share of a recording's file. */
export const ComposedPercent = Type.Integer({ minimum: 0, maximum: 100 })

export const RecordingBody = named(
  'Recording',
  Type.Object(
    {
      id: uuid('Id of the recording.'),
      room_id: uuid('Id of the room.'),
      provider_archive_id: string('Id at the media provider (LiveKit egress id).'),
      status: RecordingStatus,
      output_mode: OutputMode,
      size: nullable(LongInteger, 'Size of the file in bytes. Null until there is a file.'),
      duration_sec: nullable(
        Type.Number(),
        'Length of the file in seconds, without pauses; of an individual recording, from the start of its first file to the end of its last. Null until there is a file.',
      ),
      estimated_available_at: Type.Optional(
        nullable(
          DateTime,
          'Extension. When the file is likely to be there, while it is being composed or waits for that. Null when that is not known.',
        ),
      ),
      created_at: dateTime('When the recording started.'),
      updated_at: dateTime('When the recording last changed.'),
    },
    { description: 'A recording of a room. A room may have several.' },
  ),
)
export type RecordingBody = Static<typeof RecordingBody>

export const DownloadUrlQuery = Type.Object(
  {
    expires_in_seconds: Type.Optional(
      Type.Integer({
        minimum: DOWNLOAD_URL_MIN_SEC,
        maximum: DOWNLOAD_URL_MAX_SEC,
        default: DOWNLOAD_URL_DEFAULT_SEC,
        description: 'How many seconds the URL is valid.',
      }),
    ),
  },
  STRICT,
)

/** A signed URL and its expiry. */
export const SignedUrlBody = named(
  'SignedUrl',
  Type.Object(
    {
      url: string('The signed URL. It needs no other credential, so treat it as a secret.'),
      expires_at: dateTime('When the URL stops working.'),
    },
    { description: 'A URL that works without a credential, for a limited time.' },
  ),
)
export type SignedUrlBody = Static<typeof SignedUrlBody>

const exceptFor = (source: Source) => ({
  properties: { source: { not: { const: source } } },
})

/** Body of `POST .../processed-recording`. A trim needs a range; an upload must not have one. */
export const ProcessedRecordingRequest = Type.Object(
  {
    source: oneOf(PROCESSED_SOURCES),
    trim_start_sec: Type.Optional(Position),
    trim_end_sec: Type.Optional(Position),
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
export type ProcessedRecordingRequest = Static<typeof ProcessedRecordingRequest>

const TrimRequest = named(
  'TrimRequest',
  Type.Object(
    {
      source: Type.Literal('trim', { description: 'Always `trim`.' }),
      trim_start_sec: about(Position, 'Start of the range, in seconds from the start of the file.'),
      trim_end_sec: about(
        Position,
        'End of the range, in seconds from the start of the file. After `trim_start_sec`, and not after the end of the recording.',
      ),
    },
    { ...STRICT, description: 'Cut a range from the recording.' },
  ),
)

const UploadRequest = named(
  'UploadRequest',
  Type.Object(
    { source: Type.Literal('upload', { description: 'Always `upload`.' }) },
    { ...STRICT, description: 'Upload a file that you made yourself.' },
  ),
)

/** The same body in a form that is readable in the API description. */
export const ProcessedRecordingRequestKinds: TSchema = named(
  'ProcessedRecordingRequest',
  Type.Unsafe({
    oneOf: [TrimRequest, UploadRequest],
    discriminator: {
      propertyName: 'source',
      mapping: {
        trim: '#/components/schemas/TrimRequest',
        upload: '#/components/schemas/UploadRequest',
      },
    },
    description: 'A trim or an upload.',
  }),
)

/** Optional body of `POST .../processed-recording/complete`. */
export const CompleteUpload = nullable(
  named(
    'CompleteUpload',
    Type.Object(
      {
        duration_sec: Type.Optional(
          nullable(Seconds, 'Length of the file in seconds, as you declare it. Not verified.'),
        ),
      },
      { ...STRICT, description: 'What you know about the uploaded file.' },
    ),
  ),
)

const trimmed = (what: string) =>
  nullable(Type.Number(), `${what} of the range in seconds. Null for an upload.`)

export const ProcessedRecordingBody = named(
  'ProcessedRecording',
  Type.Object(
    {
      id: uuid('Id of the processed recording.'),
      recording_id: uuid('Id of the recording.'),
      source: ProcessedSource,
      trim_start_sec: trimmed('Start'),
      trim_end_sec: trimmed('End'),
      status: ProcessedStatus,
      size: nullable(LongInteger, 'Size of the file in bytes. Null until it is available.'),
      duration_sec: nullable(
        Type.Number(),
        'Length in seconds: measured for a trim, as declared by you for an upload. Null when unknown.',
      ),
      failure_reason: nullable(
        Type.String(),
        'Why the trim failed: `source_missing`, `source_unreadable`, `storage_unavailable`, `timed_out` or `internal`. Null unless `status` is `failed`. New words may be added.',
      ),
      created_at: dateTime('When it was created.'),
      updated_at: dateTime('When it last changed.'),
      upload: Type.Optional(
        about(
          SignedUrlBody,
          'Where to PUT the file, at most 5 GiB. Only in the response that creates an upload.',
        ),
      ),
    },
    { description: 'A trimmed or edited version of a recording. A recording has at most one.' },
  ),
)
export type ProcessedRecordingBody = Static<typeof ProcessedRecordingBody>

/** Optional body of `POST /recordings/{recording_id}/transcriptions`. */
export const TranscriptionRequest = nullable(
  named(
    'TranscriptionRequest',
    Type.Object(
      {
        language: Type.Optional(
          about(
            LanguageCode,
            'The spoken language. By default `transcription_language` of the room.',
          ),
        ),
        translate: Type.Optional(
          about(Type.Boolean(), 'Translate into English instead of writing what was said.', {
            default: false,
          }),
        ),
        provider: Type.Optional(
          about(TranscriptionEngine, 'The engine. By default `transcription_service` of the room.'),
        ),
      },
      { ...STRICT, description: 'How to transcribe.' },
    ),
  ),
)
export type TranscriptionRequest = Static<typeof TranscriptionRequest>

export const TranscriptionAttempt = named(
  'TranscriptionAttempt',
  Type.Object(
    {
      engine: TranscriptionEngine,
      started_at: dateTime('When the engine had its turn.'),
      ended_at: nullable(dateTime('When it ended. Null while it lasts.')),
      failure_reason: nullable(
        Type.String(),
        'Why the engine did not transcribe, in the words of `failure_reason` of W6. Null while it lasts, and when it succeeded.',
      ),
    },
    { description: 'What one engine did for a transcription.' },
  ),
)
export type TranscriptionAttempt = Static<typeof TranscriptionAttempt>

export const TranscriptionBody = named(
  'Transcription',
  Type.Object(
    {
      id: uuid('Id of the transcription.'),
      recording_id: uuid('Id of the recording.'),
      room_id: uuid('Id of the room.'),
      provider: TranscriptionEngine,
      provider_transcription_id: nullable(
        Type.String(),
        'Id of the job at the engine. Null until the engine has accepted it.',
      ),
      status: TranscriptionStatus,
      language: string('The spoken language: a BCP 47 code in canonical spelling.'),
      kind: TranscriptionKind,
      attempts: Type.Array(TranscriptionAttempt, {
        description:
          'Extension. The engines that had their turn, in order. `provider` is the last one.',
      }),
      result_url: nullable(
        Type.String(),
        'Signed URL of the WebVTT file, valid for 3,600 seconds. Null unless `status` is `done`.',
      ),
      sent_sec: nullable(
        Type.Number({ minimum: 0 }),
        'Seconds of sound that were sent to the engine, without the silence. What is sent again counts again. Null before that. Extension.',
      ),
      created_at: dateTime('When it was started.'),
      updated_at: dateTime('When it last changed.'),
    },
    { description: 'What was said in a recording, as WebVTT captions.' },
  ),
)
export type TranscriptionBody = Static<typeof TranscriptionBody>
