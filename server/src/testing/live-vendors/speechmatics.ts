import type { HeardWord } from './ear.ts'
import type { LiveVendorFixture } from './played-live-vendor.ts'

const SESSION_ID = '6f1c4a52-93d4-4ad2-a3a4-0c9d3b1f0a11'
const FORMAT = { format: '2.9' }

function transcriptOf(words: readonly HeardWord[]) {
  const results = words.map(({ text, startSec, endSec }) => ({
    type: 'word',
    start_time: startSec,
    end_time: endSec,
    alternatives: [{ content: text, confidence: 0.9, language: 'en' }],
  }))
  const [start_time, end_time] = [words[0]?.startSec ?? 0, words.at(-1)?.endSec ?? 0]
  const transcript = words.map(({ text }) => `${text} `).join('')
  return { ...FORMAT, metadata: { start_time, end_time, transcript }, results }
}

const translationOf = (words: readonly HeardWord[]) => ({
  ...FORMAT,
  language: 'de',
  results: [
    {
      content: words.map(({ text }) => text.toUpperCase()).join(' '),
      start_time: words[0]?.startSec ?? 0,
      end_time: words.at(-1)?.endSec ?? 0,
    },
  ],
})

/** Speechmatics "Realtime API Reference", "Turn detection" and "Translation", as of @speechmatics/real-time-client 8.5.1. */
export const speechmatics: LiveVendorFixture = {
  name: 'speechmatics',
  follows: 'Speechmatics Realtime API v2 (November 2026)',
  path: '/v2',
  talk(line) {
    const { ear } = line
    let isTranslating = false
    let sounds = 0
    const end = () => {
      const words = ear.take()
      line.send({ message: 'AddTranscript', ...transcriptOf(words) })
      line.send({ message: 'EndOfUtterance', metadata: { end_time: ear.heardSec } })
      if (isTranslating && words.length > 0) {
        line.send({ message: 'AddTranslation', ...translationOf(words) })
      }
    }
    return {
      sound(hasEnded) {
        sounds += 1
        line.send({ message: 'AudioAdded', seq_no: sounds })
        if (hasEnded) return end()
        line.send({ message: 'AddPartialTranscript', ...transcriptOf(ear.words) })
        if (isTranslating && ear.words.length > 0) {
          line.send({ message: 'AddPartialTranslation', ...translationOf(ear.words) })
        }
      },
      message(message) {
        const said = message as { message: string; translation_config?: object }
        if (said.message === 'StartRecognition') {
          isTranslating = said.translation_config !== undefined
          line.send({
            message: 'RecognitionStarted',
            id: SESSION_ID,
            orchestrator_version: '2026.11',
            language_pack_info: { word_delimiter: ' ', language_description: 'English' },
          })
        }
        if (said.message === 'ForceEndOfUtterance') end()
        if (said.message !== 'EndOfStream') return
        end()
        line.send({ message: 'EndOfTranscript' })
        line.close(1000)
      },
    }
  },
}
