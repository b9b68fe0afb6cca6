import { openAsBlob } from 'node:fs'
import { type Static, type TSchema, Type } from 'typebox'
import { FormData } from 'undici'
import { type VendorAdapter, invalidResult, type Submission } from './engine.ts'
import { ISO_CODES } from './languages.ts'
import { callVendor, uploadMs } from './vendor-http.ts'
import { type Refusals, required } from './vendor-problem.ts'
import { following, type Word } from './word.ts'

const Timed = { start: Type.Number(), end: Type.Number() }
/** Self-hosted servers answer null for fields that were not requested. */
const listOf = <T extends TSchema>(each: T) =>
  Type.Optional(Type.Union([Type.Null(), Type.Array(each)]))
const Verbose = Type.Object({
  text: Type.Optional(Type.Union([Type.Null(), Type.String()])),
  segments: listOf(Type.Object({ ...Timed, text: Type.String() })),
  words: listOf(Type.Object({ ...Timed, word: Type.String() })),
})

/** Exhausted credit is refused with 429, too, but no pause helps. */
const REFUSALS: Refusals = [
  [
    /"(insufficient_quota|credit_balance_exhausted|\w+_(spend|usage)_limit_exceeded)"/,
    'quota_exceeded',
  ],
]

/** A server may take as long as the audio lasts. */
const ANSWER_MIN_MS = 10 * 60_000

/**
 * OpenAI's `audio/transcriptions` and `audio/translations` (API 2.3.0), and compatible servers. Uses `verbose_json`, which
 * only `whisper-1` among OpenAI's models supports. Every answer is synchronous, so there is no job to look up.
 */
export const openai: VendorAdapter = {
  create: ({ url, apiKey, model, languages }) => ({
    name: 'openai',
    capabilities: {
      languages,
      // Including English: Whisper writes English from any language.
      translatesFrom: languages,
      audioMaxSec: 25 * 60,
      audioMaxBytes: 25_000_000,
      speakerLabels: false,
      audioFormat: 'flac',
    },
    async submit(submission) {
      const { durationSec, translate, signal } = submission
      const heard = await callVendor({
        url: `${url}/audio/${translate ? 'translations' : 'transcriptions'}`,
        method: 'POST',
        headers: apiKey === '' ? {} : { authorization: `Bearer ${apiKey}` },
        body: await formOf(submission, model),
        answer: Verbose,
        refusals: REFUSALS,
        timeoutMs: ANSWER_MIN_MS + uploadMs(durationSec) + durationSec * 1000,
        signal,
      })
      return { kind: 'done', words: wordsOf(required(heard), submission) }
    },
  }),
}

async function formOf({ path, language, translate }: Submission, model: string): Promise<FormData> {
  const form = new FormData()
  form.set('file', await openAsBlob(path, { type: 'audio/flac' }), 'audio.flac')
  form.set('model', model)
  form.set('response_format', 'verbose_json')
  if (translate) return form
  form.set('language', ISO_CODES[language] ?? language)
  form.append('timestamp_granularities[]', 'word')
  form.append('timestamp_granularities[]', 'segment')
  return form
}

function wordsOf(
  { text: said, words, segments }: Static<typeof Verbose>,
  { language, translate }: Submission,
): Word[] {
  const isTimed = [words, segments].some((times) => times && times.length > 0)
  // Empty lists without a text mean silence.
  if (!isTimed && (said?.trim() || !(words ?? segments))) {
    throw invalidResult('the engine answered without times')
  }
  const spoken = translate ? 'en-US' : language
  const next = (text: string) => following(text.trim(), spoken)
  // Words lack the punctuation, which Japanese needs to be readable, so prefer segments.
  if (segments && segments.length > 0) {
    return segments.map(({ text, start, end }) => timed(next(text), start, end))
  }
  return (words ?? []).map(({ word, start, end }) => timed(next(word), start, end))
}

function timed(text: string, startSec: number, endSec: number): Word {
  return { text, startSec, endSec, speaker: null }
}
