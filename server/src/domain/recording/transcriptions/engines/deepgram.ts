import { openAsBlob } from 'node:fs'
import { Type } from 'typebox'
import type { VendorAdapter } from './engine.ts'
import { callVendor, uploadMs } from './vendor-http.ts'
import { type Refusals, required } from './vendor-problem.ts'
import { following } from './word.ts'

/** The codes of its models, as of Nova-3. */
const CODES: Readonly<Record<string, string>> = {
  'ja-JP': 'ja',
  'en-US': 'en-US',
  'zh-CN': 'zh-CN',
  'zh-TW': 'zh-TW',
  'ko-KR': 'ko',
  'th-TH': 'th',
  'vi-VN': 'vi',
}

const Listened = Type.Object({
  results: Type.Object({
    channels: Type.Array(
      Type.Object({
        alternatives: Type.Array(
          Type.Object({
            words: Type.Array(
              Type.Object({
                word: Type.String(),
                punctuated_word: Type.Optional(Type.String()),
                start: Type.Number(),
                end: Type.Number(),
                speaker: Type.Optional(Type.Integer()),
              }),
            ),
          }),
        ),
      }),
    ),
  }),
})

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
        answer: Listened,
        refusals: REFUSALS,
        timeoutMs: ANSWER_MS + uploadMs(durationSec),
        signal,
      })
      const [channel] = required(heard).results.channels
      const words = channel?.alternatives[0]?.words ?? []
      return {
        kind: 'done',
        words: words.map(({ word, punctuated_word: written = word, start, end, speaker }) => ({
          text: following(written, language),
          startSec: start,
          endSec: end,
          speaker: speaker === undefined ? null : `Speaker ${speaker + 1}`,
        })),
      }
    },
  }),
}
