import type { LiveVendorSettings } from '../../../../platform/config/live-text-config.ts'
import type { LiveEngine } from '../../../../platform/ports/live-engine.ts'
import { ISO_CODES } from '../../transcriptions/engines/languages.ts'
import { at, listAt, numberAt, textAt } from '../../transcriptions/engines/read-fields.ts'
import type { Piece, Utterances } from './utterances.ts'
import { vendorEngine } from './vendor-engine.ts'
import { RATE, Refusal } from './vendor-stream.ts'

/** Tokens that end an utterance: the engine noticed its end, or was asked for it. */
const ENDS = new Set(['<end>', '<fin>'])

/** Soniox, "WebSocket API" (`stt-rt`). Tokens are parts of words, each final or not. Translation in the same stream. */
export function createLiveSoniox(settings: LiveVendorSettings): LiveEngine {
  const { url, apiKey, model } = settings
  return vendorEngine('soniox', settings, ({ language, translateTo }) => ({
    // The vendor refuses a key inside of the greeting from 15 January 2027 on.
    connect: () => ({ url, headers: { authorization: `Bearer ${apiKey}` } }),
    greeting: {
      model,
      audio_format: 'pcm_s16le',
      sample_rate: RATE,
      num_channels: 1,
      language_hints: [ISO_CODES[language] ?? language],
      enable_endpoint_detection: true,
      ...(translateTo !== null && {
        translation: { type: 'one_way', target_language: ISO_CODES[translateTo] ?? translateTo },
      }),
    },
    read,
    flush: { type: 'finalize' },
    keepAlive: { type: 'keepalive' },
    end: () => '',
  }))
}

function read(message: unknown, utterances: Utterances): boolean {
  const refused = numberAt(message, 'error_code')
  if (refused !== null) throw new Refusal(`the engine refused with ${refused}`)
  const guessed: Piece[] = []
  let translation = ''
  for (const token of listAt(message, 'tokens') ?? []) {
    const text = textAt(token, 'text') ?? ''
    if (ENDS.has(text)) utterances.end()
    else if (at(token, 'is_final') === true) confirm(token, text, utterances)
    else {
      const { isOriginal, isTranslation } = kindOf(token)
      if (isOriginal) guessed.push(pieceOf(token, text))
      if (isTranslation) translation += text
    }
  }
  utterances.guess(guessed)
  utterances.guessTranslation(utterances.latest, translation)
  return at(message, 'finished') === true
}

function confirm(token: unknown, text: string, utterances: Utterances): void {
  const { isOriginal, isTranslation } = kindOf(token)
  if (isOriginal) utterances.confirm(pieceOf(token, text))
  if (isTranslation) utterances.translate(utterances.latest, text)
}

/** A token that is already in the other language (`none`) belongs to both. */
function kindOf(token: unknown) {
  const status = textAt(token, 'translation_status')
  return {
    isOriginal: status !== 'translation',
    isTranslation: status === 'translation' || status === 'none',
  }
}

function pieceOf(token: unknown, text: string): Piece {
  const [startMs, endMs] = [numberAt(token, 'start_ms'), numberAt(token, 'end_ms')]
  return {
    text,
    startSec: startMs === null ? null : startMs / 1000,
    endSec: endMs === null ? null : endMs / 1000,
  }
}
