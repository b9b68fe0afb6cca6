import type { LiveVendorSettings } from '../../../../platform/config/live-text-config.ts'
import type { LiveEngine } from '../../../../platform/ports/live-engine.ts'
import { CODES } from '../../transcriptions/engines/deepgram.ts'
import { at, listAt, numberAt, textAt } from '../../transcriptions/engines/read-fields.ts'
import { spaced } from '../../transcriptions/engines/word.ts'
import type { Piece, Utterances } from './utterances.ts'
import { vendorEngine } from './vendor-engine.ts'
import { RATE, Refusal } from './vendor-stream.ts'

/** Silence that ends an utterance. */
const ENDPOINTING_MS = 500

/** Deepgram, "Live Audio" (`wss /v1/listen`) with interim results. No translation. */
export function createLiveDeepgram(settings: LiveVendorSettings): LiveEngine {
  const { url, apiKey, model } = settings
  return vendorEngine('deepgram', settings, ({ language }) => {
    const query = new URLSearchParams({
      model,
      language: CODES[language] ?? language,
      encoding: 'linear16',
      sample_rate: String(RATE),
      channels: '1',
      punctuate: 'true',
      interim_results: 'true',
      endpointing: String(ENDPOINTING_MS),
      // Without this it keeps the audio, and nobody could have it deleted.
      mip_opt_out: 'true',
    })
    return {
      connect: () => ({
        url: `${url}/v1/listen?${query.toString()}`,
        headers: { authorization: `Token ${apiKey}` },
      }),
      read: (message, utterances) => read(message, { utterances, language }),
      flush: { type: 'Finalize' },
      keepAlive: { type: 'KeepAlive' },
      end: () => JSON.stringify({ type: 'CloseStream' }),
    }
  })
}

/** Metadata is the answer to `CloseStream`, after the last results. */
function read(
  message: unknown,
  { utterances, language }: { utterances: Utterances; language: string },
): boolean {
  const type = textAt(message, 'type')
  if (type === 'Error') throw new Refusal('the engine reported an error')
  if (type !== 'Results') return type === 'Metadata'
  const pieces = piecesOf(message, language)
  if (at(message, 'is_final') !== true) utterances.guess(pieces)
  else {
    for (const piece of pieces) utterances.confirm(piece)
    const isOver = at(message, 'speech_final') === true || at(message, 'from_finalize') === true
    if (isOver) utterances.end()
    else utterances.guess([])
  }
  return false
}

function piecesOf(message: unknown, language: string): Piece[] {
  const words = listAt(message, 'channel', 'alternatives', 0, 'words') ?? []
  const heard = words.map((word) => ({
    text: textAt(word, 'punctuated_word') ?? textAt(word, 'word'),
    startSec: numberAt(word, 'start'),
    endSec: numberAt(word, 'end'),
    speaker: null,
  }))
  return spaced([heard], language).map(({ text, startSec, endSec }) => ({
    text: text ?? '',
    startSec,
    endSec,
  }))
}
