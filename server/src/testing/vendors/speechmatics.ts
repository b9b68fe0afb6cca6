import { type Behaviour, JOB_ID, json, type Said, type VendorFixture } from './vendor-fixture.ts'

const JOB = `/v2/jobs/${JOB_ID}`
const CREATED = { created_at: '2026-11-21T12:00:00.000Z' }

const detailsOf = (status: string, more: object = {}) => ({
  ...CREATED,
  data_name: 'audio.flac',
  duration: 2,
  id: JOB_ID,
  status,
  ...more,
})

const jobIs = (status: string, more: object = {}) =>
  JSON.stringify({ job: detailsOf(status, more) })

/** A full stop is a result of its own. */
function resultsOf(said: Said): object[] {
  return said.flatMap(([text, start, end]) => {
    const word = text.replace(/\.$/, '')
    const full = resultOf({ type: 'punctuation', attaches_to: 'previous', is_eos: true }, [
      '.',
      end,
      end,
    ])
    return [resultOf({ type: 'word' }, [word, start, end]), ...(text.endsWith('.') ? [full] : [])]
  })
}

function resultOf(kind: object, [content, start_time, end_time]: Said[number]): object {
  const alternatives = [{ content, confidence: 0.9, language: 'en', speaker: 'S1' }]
  return { ...kind, start_time, end_time, alternatives }
}

const behaving =
  (results: object): Behaviour =>
  ({ method, address }) => {
    if (method === 'POST') return json({ id: JOB_ID }, 201)
    if (method === 'DELETE') return json({ job: detailsOf('deleted') })
    if (address.startsWith('/v2/jobs?')) return json({ jobs: [] })
    if (!address.includes('/transcript')) return json({ job: detailsOf('done') })
    const job = { ...CREATED, data_name: 'audio.flac', duration: 2, id: JOB_ID }
    const metadata = { ...CREATED, type: 'transcription' }
    return json({ format: '2.9', job, metadata, ...results })
  }

/** Speechmatics ASR REST API 2.0.0 (2026-08), transcripts `json-v2` 2.9. */
export const speechmatics: VendorFixture = {
  name: 'speechmatics',
  follows: 'Speechmatics ASR REST API 2.0.0 (OpenAPI, 2026-08), json-v2 2.9',
  isSubmission: ({ method }) => method === 'POST',
  hearing: (said) => behaving({ results: resultsOf(said) }),
  translating: (said) =>
    behaving({
      results: resultsOf([['こんにちは', 0.1, 0.9]]),
      translations: {
        en: said.map(([content, start_time, end_time]) => ({
          start_time,
          end_time,
          content,
          speaker: 'S1',
        })),
      },
    }),
  refuses: [
    {
      answer: json({ code: 400, error: 'Job rejected due to invalid audio' }, 400),
      reason: 'unsupported_audio',
    },
  ],
  job: {
    isPoll: ({ method, address }) => method === 'GET' && address.split('?')[0] === JOB,
    pending: jobIs('running'),
    gaveUp: [
      {
        says: 'rejected',
        answer: jobIs('rejected', { errors: [{ timestamp: CREATED.created_at, message: 'no' }] }),
        reason: 'vendor_rejected',
      },
    ],
    lost: [
      { says: 'expired', answer: jobIs('expired') },
      { says: 'deleted', answer: jobIs('deleted') },
    ],
    isList: ({ method, address }) => method === 'GET' && address.startsWith('/v2/jobs?'),
    list: (reference) =>
      JSON.stringify({ jobs: [detailsOf('running', { config: { tracking: { reference } } })] }),
    isRemoval: ({ method, address }) => method === 'DELETE' && address === `${JOB}?force=true`,
  },
}
