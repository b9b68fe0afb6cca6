import { openAsBlob } from 'node:fs'
import { type Static, Type } from 'typebox'
import { FormData } from 'undici'
import { type VendorAdapter, invalidResult, type Submission } from './engine.ts'
import { foreign } from './languages.ts'
import { CALL_MS, callVendor, TRANSCRIPT_MS, uploadMs } from './vendor-http.ts'
import { jobRefused, type Refusals, required } from './vendor-problem.ts'
import { following, type Word } from './word.ts'

const Created = Type.Object({ id: Type.String({ minLength: 1, maxLength: 255 }) })
const Status = Type.Object({ job: Type.Object({ status: Type.String() }) })
const Jobs = Type.Object({
  jobs: Type.Array(
    Type.Object({
      id: Type.String({ minLength: 1, maxLength: 255 }),
      config: Type.Optional(
        Type.Object({
          // Other users of the account may write any value here.
          tracking: Type.Optional(
            Type.Union([Type.Null(), Type.Object({ reference: Type.Optional(Type.Unknown()) })]),
          ),
        }),
      ),
    }),
  ),
})
const Timed = { start_time: Type.Number(), end_time: Type.Number() }
const Transcript = Type.Object({
  metadata: Type.Optional(
    Type.Object({
      translation_errors: Type.Optional(Type.Array(Type.Object({ type: Type.String() }))),
    }),
  ),
  results: Type.Array(
    Type.Object({
      ...Timed,
      type: Type.String(),
      attaches_to: Type.Optional(Type.String()),
      alternatives: Type.Optional(
        Type.Array(Type.Object({ content: Type.String(), speaker: Type.Optional(Type.String()) })),
      ),
    }),
  ),
  translations: Type.Optional(
    Type.Object({
      en: Type.Optional(
        Type.Array(
          Type.Object({ ...Timed, content: Type.String(), speaker: Type.Optional(Type.String()) }),
        ),
      ),
    }),
  ),
})

const CODES: Readonly<Record<string, { language: string; output_locale?: string }>> = {
  'ja-JP': { language: 'ja' },
  'en-US': { language: 'en', output_locale: 'en-US' },
  'zh-CN': { language: 'cmn', output_locale: 'cmn-Hans' },
  'zh-TW': { language: 'cmn', output_locale: 'cmn-Hant' },
  'ko-KR': { language: 'ko' },
  'th-TH': { language: 'th' },
  'vi-VN': { language: 'vi' },
}

const REFUSALS: Refusals = [[/Job rejected due to invalid audio/, 'unsupported_audio']]

/**
 * Speechmatics, "ASR REST API" 2.0.0 (Batch). Jobs carry our reference in `tracking` and are polled by their id. `json-v2`
 * transcripts, speaker diarization, translation. The vendor deletes jobs after 7 days.
 */
export const speechmatics: VendorAdapter = {
  create({ url, apiKey, model, languages }) {
    const headers = { authorization: `Bearer ${apiKey}` }
    const jobs = `${url}/v2/jobs`
    const jobAt = (providerId: string) => `${jobs}/${encodeURIComponent(providerId)}`
    const read = { headers, timeoutMs: CALL_MS }
    return {
      name: 'speechmatics',
      capabilities: {
        languages,
        translatesFrom: foreign(languages).filter((language) => language !== 'th-TH'),
        audioMaxSec: 2 * 3600,
        audioMaxBytes: 999_000_000,
        speakerLabels: true,
        audioFormat: 'flac',
      },
      async submit(submission) {
        const { path, durationSec, signal } = submission
        const body = new FormData()
        body.set('config', JSON.stringify(configOf(submission, model)))
        body.set('data_file', await openAsBlob(path, { type: 'audio/flac' }), 'audio.flac')
        const call = { url: jobs, method: 'POST', headers, body, refusals: REFUSALS } as const
        const timeoutMs = uploadMs(durationSec)
        const taken = await callVendor({ ...call, answer: Created, timeoutMs, signal })
        return { kind: 'accepted', providerId: required(taken).id }
      },
      // By default the vendor answers only after the job has ended.
      async poll({ providerId, language, translate, signal }) {
        const job = jobAt(providerId)
        const found = await callVendor({ ...read, url: `${job}?wait=0`, answer: Status, signal })
        const status = found?.job.status
        if (status === 'running') return { kind: 'pending' }
        if (status === 'rejected') throw jobRefused('vendor_rejected')
        if (status !== 'done') return { kind: 'lost' }
        const transcript = { ...read, url: `${job}/transcript?format=json-v2&wait=0` }
        const call = { ...transcript, answer: Transcript, timeoutMs: TRANSCRIPT_MS }
        const heard = await callVendor({ ...call, signal })
        if (heard === undefined) return { kind: 'lost' }
        return { kind: 'done', words: wordsOf(heard, { language, translate }) }
      },
      // The list is sorted newest first.
      async find(reference, signal) {
        const listed = await callVendor({ ...read, url: `${jobs}?limit=100`, answer: Jobs, signal })
        return listed?.jobs.find(({ config }) => config?.tracking?.reference === reference)?.id
      },
      async cancel(providerId, signal) {
        const call = { ...read, url: `${jobAt(providerId)}?force=true`, method: 'DELETE' } as const
        await callVendor({ ...call, answer: Type.Unknown(), signal })
      },
    }
  },
}

function configOf({ language, translate, reference }: Submission, model: string) {
  return {
    type: 'transcription',
    transcription_config: {
      ...(CODES[language] ?? { language }),
      model,
      diarization: 'speaker',
    },
    ...(translate && { translation_config: { target_languages: ['en'] } }),
    tracking: { reference },
  }
}

function wordsOf(
  heard: Static<typeof Transcript>,
  { language, translate }: { language: string; translate: boolean },
): Word[] {
  if (translate) return translationOf(heard)
  let isOpen = false
  return heard.results.flatMap(({ type, alternatives, attaches_to: attached, ...times }) => {
    const [best] = alternatives ?? []
    // The transcript may contain other kinds of results.
    if (best === undefined || (type !== 'word' && type !== 'punctuation')) return []
    const isAttached = isOpen || attached === 'previous' || attached === 'both'
    isOpen = attached === 'next' || attached === 'both'
    const text = isAttached ? best.content : following(best.content, language)
    return [wordOf(text, best.speaker, times)]
  })
}

function translationOf({ translations, metadata }: Static<typeof Transcript>): Word[] {
  const said = translations?.en
  if (said !== undefined) {
    return said.map(({ content, speaker, ...times }) =>
      wordOf(following(content, 'en-US'), speaker, times),
    )
  }
  const problems = metadata?.translation_errors?.map(({ type }) => type) ?? []
  if (problems.includes('unsupported_translation_pair')) {
    throw jobRefused('translation_not_supported')
  }
  throw invalidResult('the engine answered without what was asked for')
}

/** `UU` is an unidentified speaker. */
function wordOf(
  text: string,
  speaker: string | undefined,
  { start_time: startSec, end_time: endSec }: { start_time: number; end_time: number },
): Word {
  const number = /^S(\d+)$/.exec(speaker ?? '')?.[1]
  return { text, startSec, endSec, speaker: number === undefined ? null : `Speaker ${number}` }
}
