import type { LiveVendorSettings } from '../../../../platform/config/live-text-config.ts'
import type { LiveEngine } from '../../../../platform/ports/live-engine.ts'
import { at, listAt, numberAt, textAt } from '../../transcriptions/engines/read-fields.ts'
import { CODES } from '../../transcriptions/engines/speechmatics.ts'
import { following } from '../../transcriptions/engines/word.ts'
import type { Piece, Utterances } from './utterances.ts'
import { vendorEngine } from './vendor-engine.ts'
import { RATE, Refusal, type StreamOptions } from './vendor-stream.ts'

/** Seconds from the end of a word to its final text, 0.7 to 4. */
const MAX_DELAY_SEC = 1
/** Silence that ends an utterance. */
const SILENCE_SEC = 0.5

/** Speechmatics, "Realtime API" (`wss /v2`). Translation in the same stream, by sentence. */
export function createLiveSpeechmatics(settings: LiveVendorSettings): LiveEngine {
  const { url, apiKey, model } = settings
  return vendorEngine('speechmatics', settings, (options) => ({
    connect: () => ({ url, headers: { authorization: `Bearer ${apiKey}` } }),
    greeting: greetingOf(options, model),
    isReady: (message) => textAt(message, 'message') === 'RecognitionStarted',
    read: (message, utterances) => read(message, utterances, options.translateTo),
    flush: { message: 'ForceEndOfUtterance' },
    end: (count) => JSON.stringify({ message: 'EndOfStream', last_seq_no: count }),
  }))
}

function greetingOf({ language, translateTo }: StreamOptions, model: string) {
  const target = translateTo === null ? undefined : (CODES[translateTo]?.language ?? translateTo)
  return {
    message: 'StartRecognition',
    audio_format: { type: 'raw', encoding: 'pcm_s16le', sample_rate: RATE },
    transcription_config: {
      ...(CODES[language] ?? { language }),
      model,
      enable_partials: true,
      max_delay: MAX_DELAY_SEC,
      conversation_config: { end_of_utterance_silence_trigger: SILENCE_SEC },
    },
    ...(target !== undefined && {
      translation_config: { target_languages: [target], enable_partials: true },
    }),
  }
}

function read(message: unknown, utterances: Utterances, translateTo: string | null): boolean {
  const kind = textAt(message, 'message')
  if (kind === 'Error') throw new Refusal('the engine reported an error')
  if (kind === 'AddPartialTranscript') utterances.guess([pieceOf(message)])
  if (kind === 'AddTranscript') {
    utterances.confirm(pieceOf(message))
    const isSentence = at(listAt(message, 'results')?.at(-1), 'is_eos') === true
    if (isSentence) utterances.end()
    else utterances.guess([])
  }
  if (kind === 'EndOfUtterance') utterances.end()
  if (kind === 'AddPartialTranslation' || kind === 'AddTranslation') {
    readTranslation(message, utterances, translateTo ?? '')
  }
  return kind === 'EndOfTranscript'
}

/** The transcript of a message has the spaces that join it to the one before. */
function pieceOf(message: unknown): Piece {
  return {
    text: textAt(message, 'metadata', 'transcript') ?? '',
    startSec: numberAt(message, 'metadata', 'start_time'),
    endSec: numberAt(message, 'metadata', 'end_time'),
  }
}

/** A sentence has the times of its original, by which its segment is found. */
function readTranslation(message: unknown, utterances: Utterances, language: string): void {
  const isFinal = textAt(message, 'message') === 'AddTranslation'
  for (const sentence of listAt(message, 'results') ?? []) {
    const start = numberAt(sentence, 'start_time') ?? 0
    const end = numberAt(sentence, 'end_time') ?? start
    const segment = utterances.segmentAt((start + end) / 2)
    const text = following(textAt(sentence, 'content') ?? '', '', language)
    if (isFinal) utterances.translate(segment, text)
    utterances.guessTranslation(segment, isFinal ? '' : text)
    if (isFinal && utterances.isOverAt(segment, end)) utterances.endTranslation(segment)
  }
}
