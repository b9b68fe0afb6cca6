import { openAsBlob } from 'node:fs'
import { type Static, Type } from 'typebox'
import { type Engine, invalidResult, type Submission } from '../engine.ts'
import { following, type Word } from '../word.ts'
import { CALL_MS, callVendor, required, uploadMs, type VendorSettings } from './vendor-http.ts'

const Created = Type.Object({ id: Type.String({ minLength: 1, maxLength: 255 }) })
const Status = Type.Object({ job: Type.Object({ status: Type.String() }) })
const Jobs = Type.Object({
  jobs: Type.Array(
    Type.Object({
      id: Type.String({ minLength: 1, maxLength: 255 }),
      config: Type.Optional(
        Type.Object({
          tracking: Type.Optional(Type.Object({ reference: Type.Optional(Type.String()) })),
        }),
      ),
    }),
  ),
})
const Timed = { start_time: Type.Number(), end_time: Type.Number() }
const Transcript = Type.Object({
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

/**
 * Speechmatics, "Batch API" v2: jobs with our reference in `tracking`, asked for by their id,
 * `json-v2` transcripts, speaker diarization, translation.
 */
export function createSpeechmaticsEngine({ url, apiKey, model }: VendorSettings): Engine {
  const headers = { authorization: `Bearer ${apiKey}` }
  const jobs = `${url}/v2/jobs`
  const read = { headers, timeoutMs: CALL_MS }
  return {
    name: 'speechmatics',
    capabilities: {
      languages: Object.keys(CODES),
      translation: true,
      audioMaxSec: 2 * 3600,
      audioMaxBytes: 1_000_000_000,
      speakerLabels: true,
      audioFormat: 'flac',
    },
    async submit(submission) {
      const { path, durationSec, signal } = submission
      const body = new FormData()
      body.set('config', JSON.stringify(configOf(submission, model)))
      body.set('data_file', await openAsBlob(path, { type: 'audio/flac' }), 'audio.flac')
      const timeoutMs = uploadMs(durationSec)
      const call = { url: jobs, method: 'POST', headers, body, answer: Created, timeoutMs } as const
      const { id } = required(await callVendor({ ...call, signal }))
      return { kind: 'accepted', providerId: id }
    },
    async poll({ providerId, language, translate, signal }) {
      const job = `${jobs}/${encodeURIComponent(providerId)}`
      const found = await callVendor({ ...read, url: job, answer: Status, signal })
      const status = found?.job.status
      if (status === 'running') return { kind: 'pending' }
      if (status !== 'done') return { kind: 'lost' }
      const url = `${job}/transcript?format=json-v2`
      const heard = await callVendor({
        ...read,
        url,
        answer: Transcript,
        timeoutMs: 60_000,
        signal,
      })
      if (heard === undefined) return { kind: 'lost' }
      return { kind: 'done', words: wordsOf(heard, { language, translate }) }
    },
    async find(reference, signal) {
      const listed = await callVendor({ ...read, url: `${jobs}?limit=100`, answer: Jobs, signal })
      return listed?.jobs.find(({ config }) => config?.tracking?.reference === reference)?.id
    },
    async cancel(providerId, signal) {
      const url = `${jobs}/${encodeURIComponent(providerId)}?force=true`
      await callVendor({ ...read, url, method: 'DELETE', answer: Type.Unknown(), signal })
    },
  }
}

function configOf({ language, translate, reference }: Submission, model: string) {
  return {
    type: 'transcription',
    transcription_config: {
      ...(CODES[language] ?? { language }),
      operating_point: model,
      diarization: 'speaker',
    },
    ...(translate && { translation_config: { target_languages: ['en'] } }),
    tracking: { reference },
  }
}

function wordsOf(
  { results, translations }: Static<typeof Transcript>,
  { language, translate }: { language: string; translate: boolean },
): Word[] {
  if (translate) {
    const said = translations?.en
    if (said === undefined) throw invalidResult('the engine answered without what was asked for')
    return said.map(({ content, speaker, ...times }) =>
      wordOf(following(content, 'en-US'), speaker, times),
    )
  }
  return results.flatMap(({ alternatives, attaches_to: attached, ...times }) => {
    const [best] = alternatives ?? []
    if (best === undefined) return []
    const isAttached = attached === 'previous' || attached === 'both'
    const text = isAttached ? best.content : following(best.content, language)
    return [wordOf(text, best.speaker, times)]
  })
}

/** `UU` is somebody whom it could not tell. */
function wordOf(
  text: string,
  speaker: string | undefined,
  { start_time: startSec, end_time: endSec }: { start_time: number; end_time: number },
): Word {
  const number = /^S(\d+)$/.exec(speaker ?? '')?.[1]
  return { text, startSec, endSec, speaker: number === undefined ? null : `Speaker ${number}` }
}
