import type { HeardWord } from './ear.ts'
import type { LiveVendorFixture } from './played-live-vendor.ts'

const SESSION_ID = '4a39145c-2844-4557-8f34-34883f7be7d9'
const COMMON = { session_id: SESSION_ID, created_at: '2026-11-28T12:00:00.123Z' }

function utteranceOf(words: readonly HeardWord[], language: string) {
  return {
    text: words.map(({ text }) => text).join(' '),
    start: words[0]?.startSec ?? 0,
    end: words.at(-1)?.endSec ?? 0,
    confidence: 0.9,
    channel: 0,
    words: words.map(({ text, startSec, endSec }, index) => ({
      word: `${index > 0 ? ' ' : ''}${text}`,
      start: startSec,
      end: endSec,
      confidence: 0.9,
    })),
    language,
  }
}

/** Gladia AsyncAPI "Gladia real-time WebSocket" 1.0.0, and the types of @gladiaio/sdk 2.1.0. It always translates. */
export const gladia: LiveVendorFixture = {
  name: 'gladia',
  follows: 'Gladia API v2, live (November 2026)',
  path: '',
  http: (origin) => ({
    status: 201,
    body: { id: SESSION_ID, created_at: COMMON.created_at, url: `${origin}/v2/live?token=t` },
  }),
  talk(line) {
    const { ear } = line
    let utterances = 0
    const transcript = (words: readonly HeardWord[], isFinal: boolean) => {
      if (words.length === 0) return
      const data = {
        id: `00-${utterances}`,
        is_final: isFinal,
        utterance: utteranceOf(words, 'en'),
      }
      line.send({ ...COMMON, type: 'transcript', data })
      if (!isFinal) return
      const translated = words.map((word) => ({ ...word, text: word.text.toUpperCase() }))
      line.send({
        ...COMMON,
        type: 'translation',
        error: null,
        data: {
          utterance_id: data.id,
          utterance: data.utterance,
          original_language: 'en',
          target_language: 'de',
          translated_utterance: utteranceOf(translated, 'de'),
        },
      })
      utterances += 1
    }
    const acknowledge = (type: string, data: object) =>
      line.send({ ...COMMON, type, acknowledged: true, error: null, data })
    return {
      sound(hasEnded) {
        const byte_range = [0, line.soundBytes]
        acknowledge('audio_chunk', { byte_range, time_range: [0, ear.heardSec] })
        transcript(hasEnded ? ear.take() : ear.words, hasEnded)
      },
      message(message) {
        if ((message as { type: string }).type !== 'stop_recording') return
        const recording_duration = ear.heardSec
        acknowledge('stop_recording', { recording_duration, recording_left_to_process: 0 })
        transcript(ear.take(), true)
        line.send({ ...COMMON, type: 'end_recording', data: { recording_duration } })
        line.send({ ...COMMON, type: 'end_session' })
        line.close(1000)
      },
    }
  },
}
