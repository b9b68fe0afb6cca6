import { openAsBlob } from 'node:fs'
import { Type } from 'typebox'
import type { Engine } from '../engine.ts'
import { following } from '../word.ts'
import { callVendor, required, uploadMs, type VendorSettings } from './vendor-http.ts'

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

/** The vendor works at one request for ten minutes at most, and then answers 504. */
const ANSWER_MS = 11 * 60_000

/**
 * Deepgram, "Pre-recorded audio" (`POST /v1/listen`). Everything is answered at once; there is no
 * job to look up. No translation.
 */
export function createDeepgramEngine({ url, apiKey, model }: VendorSettings): Engine {
  return {
    name: 'deepgram',
    capabilities: {
      languages: undefined,
      translation: false,
      audioMaxSec: 2 * 3600,
      audioMaxBytes: 2_000_000_000,
      speakerLabels: true,
      audioFormat: 'flac',
    },
    async submit({ path, durationSec, reference, language, signal }) {
      const options = { model, language: codeOf(language), punctuate: 'true', diarize: 'true' }
      const query = new URLSearchParams({ ...options, extra: `reference:${reference}` })
      const heard = await callVendor({
        url: `${url}/v1/listen?${query.toString()}`,
        method: 'POST',
        headers: { authorization: `Token ${apiKey}`, 'content-type': 'audio/flac' },
        body: await openAsBlob(path, { type: 'audio/flac' }),
        answer: Listened,
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
  }
}

/** It tells apart the kinds of Chinese; of the others it wants the language only. */
function codeOf(language: string): string {
  return language.startsWith('zh') || language === 'en-US' ? language : language.slice(0, 2)
}
