import { openAsBlob } from 'node:fs'
import type { VendorAdapter } from './engine.ts'
import { listAt, numberAt, textAt } from './read-fields.ts'
import { callVendor, uploadMs } from './vendor-http.ts'
import { type Refusals, required } from './vendor-problem.ts'
import { type HeardWord, spaced } from './word.ts'

/** The codes of its models, as of Nova-3. */
export const CODES: Readonly<Record<string, string>> = {
  'ja-JP': 'ja',
  'en-US': 'en-US',
  'zh-CN': 'zh-CN',
  'zh-TW': 'zh-TW',
  'ko-KR': 'ko',
  'th-TH': 'th',
  'vi-VN': 'vi',
}

const REFUSALS: Refusals = [[/corrupt or unsupported data/i, 'unsupported_audio']]

/** The vendor processes a request for at most ten minutes and then answers 504. */
const ANSWER_MS = 11 * 60_000

/**
 * Deepgram, "Transcribe pre-recorded audio" (`POST /v1/listen`). Every answer is synchronous, so there is no job to look
 * up. No translation.
 */
export const deepgram: VendorAdapter = {
  create: ({ url, apiKey, model, languages }) => ({
    name: 'deepgram',
    capabilities: {
      languages,
      translatesFrom: [],
      audioMaxSec: 2 * 3600,
      audioMaxBytes: 2_000_000_000,
      speakerLabels: true,
      audioFormat: 'flac',
    },
    async submit({ path, durationSec, reference, language, signal }) {
      const query = new URLSearchParams({
        model,
        language: CODES[language] ?? language,
        punctuate: 'true',
        diarize_model: 'latest',
        // Without this it keeps the audio, and nobody could have it deleted.
        mip_opt_out: 'true',
        extra: `reference:${reference}`,
      })
      const heard = await callVendor({
        url: `${url}/v1/listen?${query.toString()}`,
        method: 'POST',
        headers: { authorization: `Token ${apiKey}`, 'content-type': 'audio/flac' },
        body: await openAsBlob(path, { type: 'audio/flac' }),
        read: heardIn,
        refusals: REFUSALS,
        timeoutMs: ANSWER_MS + uploadMs(durationSec),
        signal,
      })
      return { kind: 'done', words: spaced([required(heard)], language) }
    },
  }),
}

function heardIn(answer: unknown): HeardWord[] | undefined {
  const channels = listAt(answer, 'results', 'channels')
  return channels && (listAt(channels, 0, 'alternatives', 0, 'words') ?? []).map(wordOf)
}

function wordOf(word: unknown): HeardWord {
  const speaker = numberAt(word, 'speaker')
  return {
    text: textAt(word, 'punctuated_word') ?? textAt(word, 'word'),
    startSec: numberAt(word, 'start'),
    endSec: numberAt(word, 'end'),
    speaker: speaker === null ? null : `Speaker ${speaker + 1}`,
    confidence: numberAt(word, 'confidence'),
  }
}
