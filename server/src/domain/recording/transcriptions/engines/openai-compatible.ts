import { openAsBlob } from 'node:fs'
import { type Static, type TSchema, Type } from 'typebox'
import { FormData } from 'undici'
import { type VendorAdapter, invalidResult, type Submission } from './engine.ts'
import { ISO_CODES } from './languages.ts'
import { callVendor, uploadMs } from './vendor-http.ts'
import { type Refusals, required } from './vendor-problem.ts'
import { following, type Word } from './word.ts'

const Timed = { start: Type.Number(), end: Type.Number() }
/** Servers of one's own answer null for what was not asked for. */
const listOf = <T extends TSchema>(each: T) =>
  Type.Optional(Type.Union([Type.Null(), Type.Array(each)]))
const Verbose = Type.Object({
  text: Type.Optional(Type.Union([Type.Null(), Type.String()])),
  segments: listOf(Type.Object({ ...Timed, text: Type.String() })),
  words: listOf(Type.Object({ ...Timed, word: Type.String() })),
})

/** Billing is refused with 429 too, and no pause gets over it. */
const REFUSALS: Refusals = [
  [
    /"(insufficient_quota|credit_balance_exhausted|\w+_(spend|usage)_limit_exceeded)"/,
    'quota_exceeded',
  ],
]

/** A server may take as long as the audio lasts. */
const ANSWER_MIN_MS = 10 * 60_000

/**
 * OpenAI's `audio/transcriptions` and `audio/translations` (API 2.3.0), and the servers that speak
 * the same: `verbose_json`, which of OpenAI's models only `whisper-1` answers. Everything is
 * answered synchronously; there is no job to look up.
 */
export const openai: VendorAdapter = {
  create: ({ url, apiKey, model, languages }) => ({
    name: 'openai',
    capabilities: {
      languages,
      // English too: Whisper writes down in English whatever it hears.
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
  // Without a text, empty lists are silence.
  if (!isTimed && (said?.trim() || !(words ?? segments))) {
    throw invalidResult('the engine answered without times')
  }
  const spoken = translate ? 'en-US' : language
  const next = (text: string) => following(text.trim(), spoken)
  // Words come without the punctuation, which Japanese is not read without.
  if (segments && segments.length > 0) {
    return segments.map(({ text, start, end }) => timed(next(text), start, end))
  }
  return (words ?? []).map(({ word, start, end }) => timed(next(word), start, end))
}

function timed(text: string, startSec: number, endSec: number): Word {
  return { text, startSec, endSec, speaker: null }
}
