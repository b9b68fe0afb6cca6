import { openAsBlob } from 'node:fs'
import { FormData } from 'undici'
import { type VendorAdapter, invalidResult, type Submission } from './engine.ts'
import { foreign } from './languages.ts'
import { at, idAt, listAt, numberAt, textAt } from './read-fields.ts'
import { CALL_MS, callVendor, TRANSCRIPT_MS, uploadMs } from './vendor-http.ts'
import { jobRefused, type Refusals, required } from './vendor-problem.ts'
import { following, type HeardWord, spaced } from './word.ts'

interface Transcript {
  results: readonly unknown[]
  /** Undefined without a translation. */
  english: readonly unknown[] | undefined
  translationErrors: readonly unknown[]
}

export const CODES: Readonly<Record<string, { language: string; output_locale?: string }>> = {
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
    const account = { headers, timeoutMs: CALL_MS }
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
        const taken = await callVendor({ ...call, read: createdIn, timeoutMs, signal })
        return { kind: 'accepted', providerId: required(taken) }
      },
      // By default the vendor answers only after the job has ended.
      async poll({ providerId, language, translate, signal }) {
        const job = jobAt(providerId)
        const asked = { ...account, url: `${job}?wait=0`, signal }
        const status = await callVendor({ ...asked, read: statusIn })
        if (status === 'running') return { kind: 'pending' }
        if (status === 'rejected') throw jobRefused('vendor_rejected')
        if (status !== 'done') return { kind: 'lost' }
        const transcript = { ...account, url: `${job}/transcript?format=json-v2&wait=0` }
        const call = { ...transcript, read: transcriptIn, timeoutMs: TRANSCRIPT_MS }
        const heard = await callVendor({ ...call, signal })
        if (heard === undefined) return { kind: 'lost' }
        return { kind: 'done', words: wordsOf(heard, { language, translate }) }
      },
      // The list is sorted newest first.
      async find(reference, signal) {
        const asked = { ...account, url: `${jobs}?limit=100`, signal }
        const listed = await callVendor({ ...asked, read: jobsIn })
        const isOwn = (job: unknown) => at(job, 'config', 'tracking', 'reference') === reference
        return idAt(listed?.find(isOwn), 'id')
      },
      async cancel(providerId, signal) {
        const url = `${jobAt(providerId)}?force=true`
        await callVendor({ ...account, url, method: 'DELETE', read: () => null, signal })
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

const jobsIn = (answer: unknown) => listAt(answer, 'jobs')
const createdIn = (answer: unknown) => idAt(answer, 'id')
const statusIn = (answer: unknown) => textAt(answer, 'job', 'status') ?? undefined

function transcriptIn(answer: unknown): Transcript | undefined {
  const results = listAt(answer, 'results')
  return (
    results && {
      results,
      english: listAt(answer, 'translations', 'en'),
      translationErrors: listAt(answer, 'metadata', 'translation_errors') ?? [],
    }
  )
}

function wordsOf(
  heard: Transcript,
  { language, translate }: { language: string; translate: boolean },
): readonly HeardWord[] {
  if (translate) return translationOf(heard)
  let isOpen = false
  let before = ''
  return heard.results.flatMap((result) => {
    // The transcript may contain other kinds of results.
    const type = textAt(result, 'type')
    if (type !== 'word' && type !== 'punctuation') return []
    const said = textAt(result, 'alternatives', 0, 'content') ?? ''
    const attached = textAt(result, 'attaches_to')
    const isAttached = isOpen || attached === 'previous' || attached === 'both'
    isOpen = attached === 'next' || attached === 'both'
    const text = isAttached ? said : following(said, before, language)
    before = text
    return [{ ...wordOf(result, at(result, 'alternatives', 0)), text }]
  })
}

function translationOf({ english, translationErrors }: Transcript): readonly HeardWord[] {
  if (english !== undefined) {
    return spaced(
      english.map((line) => [wordOf(line, line)]),
      'en-US',
    )
  }
  const problems = translationErrors.map((problem) => textAt(problem, 'type'))
  if (problems.includes('unsupported_translation_pair')) {
    throw jobRefused('translation_not_supported')
  }
  throw invalidResult('the engine answered without what was asked for')
}

/** `UU` is an unidentified speaker. */
function wordOf(timed: unknown, said: unknown): HeardWord {
  const number = /^S(\d+)$/.exec(textAt(said, 'speaker') ?? '')?.[1]
  return {
    text: textAt(said, 'content'),
    startSec: numberAt(timed, 'start_time'),
    endSec: numberAt(timed, 'end_time'),
    speaker: number === undefined ? null : `Speaker ${number}`,
    confidence: numberAt(said, 'confidence'),
  }
}
