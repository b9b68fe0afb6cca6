import { openAsBlob } from 'node:fs'
import { FormData } from 'undici'
import { type VendorAdapter, invalidResult, type Submission } from './engine.ts'
import { ISO_CODES } from './languages.ts'
import { listAt, numberAt, textAt } from './read-fields.ts'
import { callVendor, uploadMs } from './vendor-http.ts'
import { type Refusals, required } from './vendor-problem.ts'
import { type HeardWord, spaced } from './word.ts'

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
      const { durationSec, language, translate, signal } = submission
      const heard = await callVendor({
        url: `${url}/audio/${translate ? 'translations' : 'transcriptions'}`,
        method: 'POST',
        headers: apiKey === '' ? {} : { authorization: `Bearer ${apiKey}` },
        body: await formOf(submission, model),
        read: heardIn,
        refusals: REFUSALS,
        timeoutMs: ANSWER_MIN_MS + uploadMs(durationSec) + durationSec * 1000,
        signal,
      })
      return { kind: 'done', words: spaced(required(heard), translate ? 'en-US' : language) }
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

/**
 * The lines, each with its words. Words lack the punctuation, which Japanese needs to be readable, so segments are
 * preferred. Self-hosted servers answer null for lists that were not requested.
 */
function heardIn(answer: unknown): HeardWord[][] | undefined {
  const segments = listAt(answer, 'segments')
  const words = listAt(answer, 'words')
  const said = textAt(answer, 'text')
  if (segments && segments.length > 0) return segments.map((line) => [timed(line, 'text')])
  if (words && words.length > 0) return [words.map((word) => timed(word, 'word'))]
  if (said?.trim() || (said !== null && !(segments ?? words))) {
    throw invalidResult('the engine answered without times')
  }
  // Empty lists without a text mean silence.
  return (segments ?? words) && []
}

function timed(line: unknown, name: 'text' | 'word'): HeardWord {
  return {
    text: textAt(line, name),
    startSec: numberAt(line, 'start'),
    endSec: numberAt(line, 'end'),
    speaker: null,
    confidence: numberAt(line, 'probability'),
  }
}
