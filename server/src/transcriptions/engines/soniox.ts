import { openAsBlob } from 'node:fs'
import { type Static, Type } from 'typebox'
import type { Engine } from '../engine.ts'
import type { Word } from '../word.ts'
import { CALL_MS, callVendor, required, uploadMs, type VendorSettings } from './vendor-http.ts'

const Id = Type.String({ minLength: 1, maxLength: 255 })
const Created = Type.Object({ id: Id })
const Status = Type.Object({
  status: Type.String(),
  file_id: Type.Optional(Type.Union([Id, Type.Null()])),
})
const Listed = Type.Object({
  transcriptions: Type.Array(
    Type.Object({
      id: Id,
      client_reference_id: Type.Optional(Type.Union([Type.String(), Type.Null()])),
    }),
  ),
})
const Transcript = Type.Object({
  tokens: Type.Array(
    Type.Object({
      text: Type.String(),
      start_ms: Type.Optional(Type.Union([Type.Number(), Type.Null()])),
      end_ms: Type.Optional(Type.Union([Type.Number(), Type.Null()])),
      speaker: Type.Optional(Type.Union([Type.String(), Type.Null()])),
      translation_status: Type.Optional(Type.Union([Type.String(), Type.Null()])),
    }),
  ),
})
/** The newest come first; what is in doubt was sent moments ago. */
const PAGE = 'limit=1000'

/**
 * Soniox, "Async transcription" (REST API v1): a file is uploaded, transcribed under our
 * `client_reference_id`, asked for by its id, and both are deleted afterwards.
 */
export function createSonioxEngine({ url, apiKey, model }: VendorSettings): Engine {
  const headers = { authorization: `Bearer ${apiKey}` }
  const json = { ...headers, 'content-type': 'application/json' }
  const read = { headers, timeoutMs: CALL_MS }
  const jobs = `${url}/v1/transcriptions`
  const remove = (address: string, signal: AbortSignal) =>
    callVendor({ ...read, url: address, method: 'DELETE', answer: Type.Unknown(), signal })
  return {
    name: 'soniox',
    capabilities: {
      languages: undefined,
      translation: true,
      audioMaxSec: 3600,
      audioMaxBytes: 500_000_000,
      speakerLabels: true,
      audioFormat: 'flac',
    },
    async submit({ path, durationSec, reference, language, translate, signal }) {
      const form = new FormData()
      form.set('file', await openAsBlob(path, { type: 'audio/flac' }), 'audio.flac')
      const upload = { url: `${url}/v1/files`, method: 'POST', headers, body: form } as const
      const timeoutMs = uploadMs(durationSec)
      const file = required(await callVendor({ ...upload, answer: Created, timeoutMs, signal }))
      const body = JSON.stringify({
        model,
        file_id: file.id,
        language_hints: [language.slice(0, 2)],
        enable_speaker_diarization: true,
        client_reference_id: reference,
        ...(translate && { translation: { type: 'one_way', target_language: 'en' } }),
      })
      const order = { url: jobs, method: 'POST', headers: json, body, answer: Created } as const
      const { id } = required(await callVendor({ ...order, timeoutMs: CALL_MS, signal }))
      return { kind: 'accepted', providerId: id }
    },
    async poll({ providerId, translate, signal }) {
      const job = `${jobs}/${encodeURIComponent(providerId)}`
      const status = (await callVendor({ ...read, url: job, answer: Status, signal }))?.status
      if (status === 'queued' || status === 'processing') return { kind: 'pending' }
      if (status !== 'completed') return { kind: 'lost' }
      const address = `${job}/transcript`
      const call = { ...read, url: address, answer: Transcript, timeoutMs: 60_000, signal }
      const heard = await callVendor(call)
      return heard === undefined
        ? { kind: 'lost' }
        : { kind: 'done', words: wordsOf(heard, translate) }
    },
    async find(reference, signal) {
      const listed = await callVendor({ ...read, url: `${jobs}?${PAGE}`, answer: Listed, signal })
      return listed?.transcriptions.find((each) => each.client_reference_id === reference)?.id
    },
    async cancel(providerId, signal) {
      const job = `${jobs}/${encodeURIComponent(providerId)}`
      const found = await callVendor({ ...read, url: job, answer: Status, signal })
      await remove(job, signal)
      const fileId = found?.file_id
      if (fileId) await remove(`${url}/v1/files/${encodeURIComponent(fileId)}`, signal)
    },
  }
}

/** Tokens are parts of words, with their spaces; what is translated has the time of what was said. */
function wordsOf({ tokens }: Static<typeof Transcript>, translate: boolean): Word[] {
  let spoken = { startSec: 0, endSec: 0 }
  let wasTranslation = false
  const words: Word[] = []
  for (const { text, start_ms, end_ms, speaker, translation_status } of tokens) {
    const isTranslation = translation_status === 'translation'
    if (!isTranslation && typeof start_ms === 'number' && typeof end_ms === 'number') {
      const startSec = wasTranslation || !translate ? start_ms / 1000 : spoken.startSec
      spoken = { startSec, endSec: end_ms / 1000 }
    }
    wasTranslation = isTranslation
    if (isTranslation !== translate) continue
    words.push({ text, ...spoken, speaker: speaker ? `Speaker ${speaker}` : null })
  }
  return words
}
