import { type Behaviour, JOB_ID, json, type VendorFixture } from './vendor-fixture.ts'

const JOB = `/v1/transcriptions/${JOB_ID}`
const FILE_ID = '84c32fc6-4fb5-4e7a-b656-b5ec70493753'

const jobOf = (status: string, more: object = {}) => ({
  id: JOB_ID,
  status,
  created_at: '2026-11-21T12:00:00Z',
  model: 'stt-async-v5',
  audio_url: null,
  file_id: FILE_ID,
  filename: 'audio.flac',
  language_hints: ['en'],
  enable_speaker_diarization: true,
  enable_language_identification: false,
  audio_duration_ms: 2000,
  error_type: null,
  error_message: null,
  webhook_url: null,
  webhook_auth_header_name: null,
  webhook_auth_header_value: null,
  webhook_status_code: null,
  client_reference_id: null,
  ...more,
})

const failed = (error_type: string) =>
  JSON.stringify(jobOf('error', { error_type, error_message: 'no' }))

const refused = (status_code: number, error_type: string, message: string) =>
  json({ status_code, error_type, message, validation_errors: [], request_id: JOB_ID }, status_code)

const FILE = { id: FILE_ID, filename: 'audio.flac', size: 1, created_at: '2026-11-21T12:00:00Z' }

const behaving =
  (tokens: readonly object[]): Behaviour =>
  ({ method, address }) => {
    if (method === 'DELETE') return { status: 204, body: '' }
    if (method === 'POST' && address === '/v1/files') return json(FILE, 201)
    if (method === 'POST') return json(jobOf('queued'), 201)
    if (address.startsWith('/v1/transcriptions?')) {
      return json({ transcriptions: [], next_page_cursor: null })
    }
    if (address.startsWith('/v1/files?')) return json({ files: [], next_page_cursor: null })
    if (!address.endsWith('/transcript')) return json(jobOf('completed'))
    return json({ id: JOB_ID, text: '', tokens })
  }

const COMMON = { confidence: 0.9, speaker: '1' }
const tokenOf = (text: string, startSec: number, endSec: number) => ({
  text,
  start_ms: startSec * 1000,
  end_ms: endSec * 1000,
  ...COMMON,
})

/** Soniox Public API 1.0.0 (OpenAPI, 2026-04), "Speech-to-text translation" and "Errors". */
export const soniox: VendorFixture = {
  name: 'soniox',
  follows: 'Soniox Public API 1.0.0 (OpenAPI, 2026-04), async transcription, stt-async-v5',
  isSubmission: ({ method, address }) => method === 'POST' && address === '/v1/transcriptions',
  // Each word in two tokens.
  hearing: (said) =>
    behaving(
      said.flatMap(([text, start, end], index) => {
        const middle = (start + end) / 2
        const word = `${index > 0 ? ' ' : ''}${text}`
        return [tokenOf(word.slice(0, 3), start, middle), tokenOf(word.slice(3), middle, end)]
      }),
    ),
  translating: (said) =>
    behaving(
      said.flatMap(([text, start, end]) => [
        { ...tokenOf('こんに', start, start), translation_status: 'original', language: 'ja' },
        { ...tokenOf('ちは', start, end), translation_status: 'original', language: 'ja' },
        ...[...text.matchAll(/\S+\s*/g)].map(([part]) => ({
          text: part,
          ...COMMON,
          translation_status: 'translation',
          language: 'en',
          source_language: 'ja',
        })),
      ]),
    ),
  refuses: [
    {
      answer: refused(400, 'invalid_request', 'Exceeded maximum file size.'),
      reason: 'unsupported_audio',
    },
    {
      answer: refused(402, 'organization_balance_exhausted', 'Balance exhausted.'),
      reason: 'quota_exceeded',
    },
  ],
  job: {
    isPoll: ({ method, address }) => method === 'GET' && address === JOB,
    pending: JSON.stringify(jobOf('processing')),
    gaveUp: [
      {
        says: 'error, the budget is exhausted',
        answer: failed('project_monthly_budget_exhausted'),
        reason: 'quota_exceeded',
      },
    ],
    lost: [{ says: 'error, processing_error', answer: failed('processing_error') }],
    isList: ({ method, address }) => method === 'GET' && address.startsWith('/v1/transcriptions?'),
    list: (reference) =>
      JSON.stringify({
        transcriptions: [jobOf('processing', { client_reference_id: reference })],
        next_page_cursor: null,
      }),
    isRemoval: ({ method, address }) => method === 'DELETE' && address === JOB,
    tooEarly: 409,
  },
}
