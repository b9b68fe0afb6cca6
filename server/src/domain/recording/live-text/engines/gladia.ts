import { setTimeout as delay } from 'node:timers/promises'
import type { LiveVendorSettings } from '../../../../platform/config/live-text-config.ts'
import type { LiveEngine } from '../../../../platform/ports/live-engine.ts'
import { ISO_CODES } from '../../transcriptions/engines/languages.ts'
import { at, idAt, numberAt, textAt } from '../../transcriptions/engines/read-fields.ts'
import { CALL_MS, callVendor } from '../../transcriptions/engines/vendor-http.ts'
import { required } from '../../transcriptions/engines/vendor-problem.ts'
import type { Piece, Utterances } from './utterances.ts'
import { vendorEngine } from './vendor-engine.ts'
import { RATE, type Protocol, Refusal, type StreamOptions } from './vendor-stream.ts'

/** Silence that ends an utterance, and the longest utterance. */
const ENDPOINTING_SEC = 0.5
const UTTERANCE_MAX_SEC = 5
/** The vendor refuses to delete a session that it still processes. */
const DISCARD_AFTER_MS = [0, 5_000, 60_000]

/** Gladia, "Live" (API v2): a session is ordered by HTTP and heard on its own WebSocket. Translation in the same stream. */
export function createLiveGladia(settings: LiveVendorSettings): LiveEngine {
  return vendorEngine('gladia', settings, (options) => protocolOf(settings, options))
}

function protocolOf({ url, apiKey, model }: LiveVendorSettings, options: StreamOptions): Protocol {
  const headers = { 'x-gladia-key': apiKey }
  const sessions = `${url}/v2/live`
  const segments = new Map<string, number>()
  let sessionId: string | undefined
  return {
    async connect() {
      const session = required(
        await callVendor({
          url: sessions,
          method: 'POST',
          headers: { ...headers, 'content-type': 'application/json' },
          body: JSON.stringify(orderOf(options, model)),
          read: sessionIn,
          timeoutMs: CALL_MS,
          signal: options.signal,
        }),
      )
      sessionId = session.sessionId
      return { url: session.address }
    },
    read: (message, utterances) => read(message, utterances, segments),
    end: () => JSON.stringify({ type: 'stop_recording' }),
    discard() {
      if (sessionId === undefined) return
      discard(`${sessions}/${encodeURIComponent(sessionId)}`, headers).catch(() => undefined)
    },
  }
}

function orderOf({ language, translateTo }: StreamOptions, model: string) {
  return {
    encoding: 'wav/pcm',
    bit_depth: 16,
    sample_rate: RATE,
    channels: 1,
    ...(model !== '' && { model }),
    endpointing: ENDPOINTING_SEC,
    maximum_duration_without_endpointing: UTTERANCE_MAX_SEC,
    language_config: { languages: [ISO_CODES[language] ?? language], code_switching: false },
    ...(translateTo !== null && {
      realtime_processing: {
        translation: true,
        translation_config: { target_languages: [ISO_CODES[translateTo] ?? translateTo] },
      },
    }),
    messages_config: {
      receive_partial_transcripts: true,
      receive_final_transcripts: true,
      receive_realtime_processing_events: translateTo !== null,
      // They show that the vendor listens while nobody says a word.
      receive_acknowledgments: true,
      receive_lifecycle_events: true,
      receive_errors: true,
      receive_speech_events: false,
      receive_pre_processing_events: false,
      receive_post_processing_events: false,
    },
  }
}

function sessionIn(answer: unknown) {
  const [sessionId, address] = [idAt(answer, 'id'), textAt(answer, 'url')]
  return sessionId === undefined || address === null ? undefined : { sessionId, address }
}

function read(message: unknown, utterances: Utterances, segments: Map<string, number>): boolean {
  if (at(message, 'acknowledged') === false) throw new Refusal('the engine refused a message')
  const type = textAt(message, 'type')
  if (type === 'transcript') {
    const piece = pieceOf(at(message, 'data', 'utterance'))
    if (at(message, 'data', 'is_final') !== true) utterances.guess([piece])
    else {
      const utteranceId = textAt(message, 'data', 'id')
      utterances.confirm(piece)
      if (utteranceId !== null) segments.set(utteranceId, utterances.latest)
      utterances.end()
    }
  }
  const translated = textAt(message, 'data', 'translated_utterance', 'text')
  if (type === 'translation' && translated !== null) {
    const utteranceId = textAt(message, 'data', 'utterance_id') ?? ''
    const segment = segments.get(utteranceId) ?? utterances.latest
    segments.delete(utteranceId)
    utterances.translate(segment, translated)
    utterances.endTranslation(segment)
  }
  return type === 'end_session'
}

function pieceOf(utterance: unknown): Piece {
  return {
    text: textAt(utterance, 'text') ?? '',
    startSec: numberAt(utterance, 'start'),
    endSec: numberAt(utterance, 'end'),
  }
}

/** Deletes a session, which the vendor would keep with its text. */
async function discard(url: string, headers: Record<string, string>): Promise<void> {
  for (const pauseMs of DISCARD_AFTER_MS) {
    await delay(pauseMs, undefined, { ref: false })
    const { signal } = new AbortController()
    const call = { url, method: 'DELETE', headers, read: () => null, timeoutMs: CALL_MS } as const
    const isGone = await callVendor({ ...call, signal }).then(
      () => true,
      () => false,
    )
    if (isGone) return
  }
}
