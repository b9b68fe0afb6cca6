import type { HeardWord } from './ear.ts'
import type { LiveVendorFixture } from './played-live-vendor.ts'

const REQUEST_ID = 'a847f427-4ad5-4d67-9b95-db801e58251c'
/** Words after which the engine is sure, also without a pause. */
const SURE_AFTER = 4

function resultsOf(words: readonly HeardWord[], more: object) {
  const heard = words.map(({ text, startSec, endSec }) => ({
    word: text.toLowerCase(),
    start: startSec,
    end: endSec,
    confidence: 0.9,
    punctuated_word: text,
  }))
  const start = words[0]?.startSec ?? 0
  return {
    type: 'Results',
    channel_index: [0, 1],
    duration: (words.at(-1)?.endSec ?? 0) - start,
    start,
    channel: {
      alternatives: [
        { transcript: words.map(({ text }) => text).join(' '), confidence: 0.9, words: heard },
      ],
    },
    metadata: {
      request_id: REQUEST_ID,
      model_info: { name: 'general-nova-3', version: '2026-08-04', arch: 'nova-3' },
      model_uuid: REQUEST_ID,
    },
    ...more,
  }
}

/** Deepgram AsyncAPI 2.6.0 of `listen.v1` (November 2026), "Interim Results", "Endpointing", "Finalize". */
export const deepgram: LiveVendorFixture = {
  name: 'deepgram',
  follows: 'Deepgram AsyncAPI listen.v1, wss /v1/listen (November 2026)',
  path: '',
  talk(line) {
    const { ear } = line
    const isSure = { is_final: true, speech_final: false }
    return {
      sound(hasEnded) {
        if (hasEnded) line.send(resultsOf(ear.take(), { is_final: true, speech_final: true }))
        else if (ear.words.length > SURE_AFTER) {
          line.send(resultsOf(ear.words.splice(0, SURE_AFTER), isSure))
        } else line.send(resultsOf(ear.words, { is_final: false, speech_final: false }))
      },
      message(message) {
        const { type } = message as { type: string }
        if (type === 'Finalize')
          line.send(resultsOf(ear.take(), { ...isSure, from_finalize: true }))
        if (type !== 'CloseStream') return
        line.send(resultsOf(ear.take(), { ...isSure, from_finalize: true }))
        const metadata = { transaction_key: 'deprecated', request_id: REQUEST_ID, sha256: '00' }
        const created = '2026-11-28T12:00:00.000Z'
        line.send({ type: 'Metadata', ...metadata, created, duration: ear.heardSec, channels: 1 })
        line.close(1000)
      },
    }
  },
}
