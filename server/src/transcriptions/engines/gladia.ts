import { openAsBlob } from 'node:fs'
import { type Static, Type } from 'typebox'
import { type Engine, invalidResult } from '../engine.ts'
import { following, type Word } from '../word.ts'
import { CALL_MS, callVendor, required, uploadMs, type VendorSettings } from './vendor-http.ts'

const Id = Type.String({ minLength: 1, maxLength: 255 })
const Uploaded = Type.Object({ audio_url: Type.String({ minLength: 1, maxLength: 2000 }) })
const Created = Type.Object({ id: Id })
const Utterances = Type.Array(
  Type.Object({
    start: Type.Number(),
    end: Type.Number(),
    text: Type.String(),
    speaker: Type.Optional(Type.Union([Type.Integer(), Type.Null()])),
    words: Type.Optional(
      Type.Array(Type.Object({ word: Type.String(), start: Type.Number(), end: Type.Number() })),
    ),
  }),
)
const Job = Type.Object({
  status: Type.String(),
  result: Type.Optional(
    Type.Union([
      Type.Null(),
      Type.Object({
        transcription: Type.Optional(Type.Object({ utterances: Utterances })),
        translation: Type.Optional(
          Type.Object({ results: Type.Array(Type.Object({ utterances: Utterances })) }),
        ),
      }),
    ]),
  ),
})
const Listed = Type.Object({
  items: Type.Array(
    Type.Object({
      id: Id,
      custom_metadata: Type.Optional(
        Type.Union([Type.Null(), Type.Object({ reference: Type.Optional(Type.String()) })]),
      ),
    }),
  ),
})

/**
 * Gladia, "Pre-recorded" (API v2): a file is uploaded, transcribed with our reference among its
 * `custom_metadata`, and asked for by its id. Speaker diarization, translation.
 */
export function createGladiaEngine({ url, apiKey, model }: VendorSettings): Engine {
  const headers = { 'x-gladia-key': apiKey }
  const read = { headers, timeoutMs: CALL_MS }
  const jobs = `${url}/v2/pre-recorded`
  return {
    name: 'gladia',
    capabilities: {
      languages: undefined,
      translation: true,
      audioMaxSec: 2 * 3600,
      audioMaxBytes: 1_000_000_000,
      speakerLabels: true,
      audioFormat: 'flac',
    },
    async submit({ path, durationSec, reference, language, translate, signal }) {
      const form = new FormData()
      form.set('audio', await openAsBlob(path, { type: 'audio/flac' }), 'audio.flac')
      const upload = { url: `${url}/v2/upload`, method: 'POST', headers, body: form } as const
      const timeoutMs = uploadMs(durationSec)
      const file = required(await callVendor({ ...upload, answer: Uploaded, timeoutMs, signal }))
      const body = JSON.stringify({
        audio_url: file.audio_url,
        ...(model !== '' && { model }),
        language_config: { languages: [language.slice(0, 2)], code_switching: false },
        diarization: true,
        custom_metadata: { reference },
        ...(translate && { translation: true, translation_config: { target_languages: ['en'] } }),
      })
      const order = { url: jobs, method: 'POST', body, answer: Created } as const
      const json = { ...headers, 'content-type': 'application/json' }
      const taken = await callVendor({ ...order, headers: json, timeoutMs: CALL_MS, signal })
      return { kind: 'accepted', providerId: required(taken).id }
    },
    async poll({ providerId, language, translate, signal }) {
      const address = `${jobs}/${encodeURIComponent(providerId)}`
      const job = await callVendor({
        ...read,
        url: address,
        answer: Job,
        timeoutMs: 60_000,
        signal,
      })
      if (job?.status === 'queued' || job?.status === 'processing') return { kind: 'pending' }
      if (job?.status !== 'done') return { kind: 'lost' }
      return { kind: 'done', words: wordsOf(job, { language, translate }) }
    },
    async find(reference, signal) {
      const wanted = encodeURIComponent(JSON.stringify({ reference }))
      const query = `custom_metadata=${wanted}&limit=10`
      const listed = await callVendor({ ...read, url: `${jobs}?${query}`, answer: Listed, signal })
      return listed?.items.find((each) => each.custom_metadata?.reference === reference)?.id
    },
    async cancel(providerId, signal) {
      const address = `${jobs}/${encodeURIComponent(providerId)}`
      const call = { ...read, url: address, method: 'DELETE', answer: Type.Unknown() } as const
      await callVendor({ ...call, signal })
    },
  }
}

function wordsOf(
  { result }: Static<typeof Job>,
  { language, translate }: { language: string; translate: boolean },
): Word[] {
  const spoken = translate ? 'en-US' : language
  const said = translate
    ? result?.translation?.results[0]?.utterances
    : result?.transcription?.utterances
  if (said === undefined) throw invalidResult('the engine answered without what was asked for')
  return said.flatMap(({ words, text, start, end, speaker }) => {
    const who = typeof speaker === 'number' ? `Speaker ${speaker + 1}` : null
    const whole = [{ word: following(text.trim(), spoken), start, end }]
    // Its words carry their own spaces, and punctuation.
    return (words && words.length > 0 ? words : whole).map((word) => ({
      text: word.word,
      startSec: word.start,
      endSec: word.end,
      speaker: who,
    }))
  })
}
