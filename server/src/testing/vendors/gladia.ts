import { type Behaviour, JOB_ID, json, type Said, type VendorFixture } from './vendor-fixture.ts'

const JOB = `/v2/pre-recorded/${JOB_ID}`

const jobOf = (status: string, more: object = {}) => ({
  id: JOB_ID,
  request_id: 'G-821fe9df',
  version: 2,
  status,
  created_at: '2026-11-21T12:00:00.000Z',
  kind: 'pre-recorded',
  ...more,
})

const failed = (error_code: number) => JSON.stringify(jobOf('error', { error_code }))

const METADATA = {
  audio_duration: 2,
  number_of_distinct_channels: 1,
  billing_time: 2,
  transcription_time: 1,
}

function heard(said: Said): object {
  const [first, last] = [said[0], said.at(-1)]
  const text = said.map(([each]) => each).join(' ')
  const about = { confidence: 0.9, language: 'en', channel: 0, speaker: 0 }
  const words = said.map(([each, start, end], index) => ({
    word: `${index > 0 ? ' ' : ''}${each}`,
    start,
    end,
    confidence: 0.9,
  }))
  const utterance = { text, start: first?.[1] ?? 0, end: last?.[2] ?? 0, words, ...about }
  const utterances = said.length > 0 ? [utterance] : []
  return { full_transcript: text, languages: ['en'], utterances }
}

const behaving =
  (result: object): Behaviour =>
  ({ method, address }) => {
    if (method === 'DELETE') return { status: 202, body: '' }
    if (method === 'POST' && address === '/v2/upload') {
      const audio_url = `https://api.gladia.io/file/${JOB_ID}`
      return json({ audio_url, audio_metadata: { id: JOB_ID, filename: 'audio.flac' } })
    }
    if (method === 'POST') return json({ id: JOB_ID, result_url: 'https://api.gladia.io' }, 201)
    if (address.includes('?')) return json({ first: '', current: '', next: null, items: [] })
    return json(jobOf('done', { result: { metadata: METADATA, ...result } }))
  }

/** Gladia API v2 (OpenAPI 1.0, 2026-08): `pre-recorded` and `upload`. */
export const gladia: VendorFixture = {
  name: 'gladia',
  follows: 'Gladia API v2 (OpenAPI 1.0, 2026-08), pre-recorded',
  isSubmission: ({ method, address }) => method === 'POST' && address === '/v2/pre-recorded',
  hearing: (said) => behaving({ transcription: heard(said) }),
  translating: (said) =>
    behaving({
      transcription: heard([['こんにちは', 0.1, 0.9]]),
      translation: {
        success: true,
        is_empty: false,
        exec_time: 1,
        error: null,
        results: [{ error: null, ...heard(said) }],
      },
    }),
  refuses: [],
  job: {
    isPoll: ({ method, address }) => method === 'GET' && address === JOB,
    pending: JSON.stringify(jobOf('processing')),
    gaveUp: [
      { says: 'error 400', answer: failed(400), reason: 'vendor_rejected' },
      { says: 'error 413', answer: failed(413), reason: 'unsupported_audio' },
    ],
    lost: [
      { says: 'error 500', answer: failed(500) },
      { says: 'error', answer: JSON.stringify(jobOf('error')) },
    ],
    isList: ({ method, address }) => method === 'GET' && address.startsWith('/v2/pre-recorded?'),
    list: (reference) =>
      JSON.stringify({
        first: '',
        current: '',
        next: null,
        items: [jobOf('processing', { custom_metadata: { reference } })],
      }),
    isRemoval: ({ method, address }) => method === 'DELETE' && address === JOB,
    tooEarly: 403,
  },
}
