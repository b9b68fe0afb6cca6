import type { HeardWord } from './ear.ts'
import type { LiveVendorFixture } from './played-live-vendor.ts'

const END = { text: '<end>', confidence: 1, is_final: true }
const FIN = { text: '<fin>', confidence: 1, is_final: true }

/** A word is two tokens, of which the first has the space. */
function tokensOf({ text, startSec, endSec }: HeardWord, isFinal: boolean, status?: string) {
  const middle = (startSec + endSec) / 2
  const common = {
    confidence: 0.9,
    is_final: isFinal,
    ...(status !== undefined && { translation_status: status, language: 'en' }),
  }
  return [
    { text: ` ${text.slice(0, 2)}`, start_ms: startSec * 1000, end_ms: middle * 1000, ...common },
    { text: text.slice(2), start_ms: middle * 1000, end_ms: endSec * 1000, ...common },
  ].filter(({ text }) => text !== '')
}

const translationOf = ({ text }: HeardWord) => ({
  text: ` ${text.toUpperCase()}`,
  confidence: 0.9,
  is_final: true,
  translation_status: 'translation',
  language: 'de',
  source_language: 'en',
})

/** Soniox, "WebSocket API", "Endpoint detection", "Manual finalization", "Real-time translation" (November 2026). */
export const soniox: LiveVendorFixture = {
  name: 'soniox',
  follows: 'Soniox WebSocket API, stt-rt-v5 (November 2026)',
  path: '/transcribe-websocket',
  talk(line) {
    let isTranslating = false
    let confirmed = 0
    const answer = (tokens: object[], more: object = {}) =>
      line.send({
        tokens,
        final_audio_proc_ms: line.ear.heardSec * 1000,
        total_audio_proc_ms: line.ear.heardSec * 1000,
        ...more,
      })
    const status = () => (isTranslating ? 'original' : undefined)
    /** Each word is final as soon as the next one has begun. */
    const finals = (words: readonly HeardWord[]) => {
      const fresh = words.slice(confirmed)
      confirmed = words.length
      const originals = fresh.flatMap((word) => tokensOf(word, true, status()))
      return isTranslating ? [...originals, ...fresh.map(translationOf)] : originals
    }
    const finish = (mark: object[], more: object = {}) => {
      const tokens = finals(line.ear.take())
      confirmed = 0
      answer([...tokens, ...mark], more)
    }
    return {
      sound(hasEnded) {
        if (hasEnded) return finish([END])
        const { words } = line.ear
        const open = words.slice(-1).flatMap((word) => tokensOf(word, false, status()))
        answer([...finals(words.slice(0, -1)), ...open])
      },
      message(message) {
        if (message === null) {
          finish([], { finished: true })
          return line.close(1000)
        }
        const said = message as { model?: string; translation?: object; type?: string }
        if (said.model === 'no-such-model') {
          line.send({ error_code: 400, error_type: 'invalid_request', error_message: 'secret' })
          return line.close(1000)
        }
        if (said.model !== undefined) isTranslating = said.translation !== undefined
        if (said.type === 'finalize') finish([FIN])
      },
    }
  },
}
