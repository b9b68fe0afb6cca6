import type { TranscriptionConfig } from '../transcriptions/transcription-config.ts'
import type { Played, PlayedCall } from './played-vendors.ts'

/**
 * What each vendor answers about an audio in which "Hello there." and "Good morning." are said,
 * after the documents named. Written by hand: nobody of them has been asked.
 */
export interface VendorFixture {
  name: keyof TranscriptionConfig['vendors']
  /** The vendor's document. */
  follows: string
  /** It is asked for the result, with these answers about a job that is not done yet. */
  pending?: string
  /** Answers `usual`, once what it is asked about is done. */
  done: (call: PlayedCall) => Played
  /** Which call hands the audio in. */
  isSubmission: (call: PlayedCall) => boolean
  /** Which asks what became of it. */
  isPoll?: (call: PlayedCall) => boolean
}

const json = (body: object, status = 200): Played => ({ status, body: JSON.stringify(body) })
const said = [
  ['Hello', 0.1, 0.5],
  ['there.', 0.5, 0.9],
] as const

const sonioxToken = (text: string, start_ms: number, end_ms: number) => ({
  text,
  start_ms,
  end_ms,
  confidence: 0.9,
  speaker: '1',
})

const speechmaticsWord = (content: string, start_time: number, end_time: number) => ({
  type: 'word',
  start_time,
  end_time,
  alternatives: [{ content, confidence: 0.9, speaker: 'S1' }],
})

export const VENDORS: readonly VendorFixture[] = [
  {
    name: 'openai',
    follows: 'OpenAI API reference, "Create transcription", verbose_json, v1',
    isSubmission: ({ address }) => address === '/audio/transcriptions',
    done: () =>
      json({
        task: 'transcribe',
        duration: 2,
        segments: [{ id: 0, start: 0.1, end: 0.9, text: ' Hello there.' }],
        words: said.map(([word, start, end]) => ({ word, start, end })),
      }),
  },
  {
    name: 'deepgram',
    follows: 'Deepgram API reference, "Transcribe pre-recorded audio", v1/listen',
    isSubmission: ({ address }) => address.startsWith('/v1/listen?'),
    done: () =>
      json({
        metadata: { request_id: 'r-1' },
        results: {
          channels: [
            {
              alternatives: [
                {
                  transcript: 'Hello there.',
                  words: said.map(([punctuated_word, start, end]) => ({
                    word: punctuated_word.toLowerCase(),
                    punctuated_word,
                    start,
                    end,
                    confidence: 0.9,
                    speaker: 0,
                  })),
                },
              ],
            },
          ],
        },
      }),
  },
  {
    name: 'speechmatics',
    follows: 'Speechmatics Batch API reference, v2, json-v2 2.9',
    pending: JSON.stringify({ job: { id: 'job-1', status: 'running' } }),
    isSubmission: ({ method }) => method === 'POST',
    isPoll: ({ method, address }) => method === 'GET' && address === '/v2/jobs/job-1',
    done: ({ method, address }) => {
      if (method === 'POST') return json({ id: 'job-1' }, 201)
      if (address.startsWith('/v2/jobs?')) return json({ jobs: [] })
      if (!address.includes('/transcript')) return json({ job: { id: 'job-1', status: 'done' } })
      return json({
        format: '2.9',
        results: [
          speechmaticsWord('Hello', 0.1, 0.5),
          speechmaticsWord('there', 0.5, 0.9),
          { ...speechmaticsWord('.', 0.9, 0.9), type: 'punctuation', attaches_to: 'previous' },
        ],
      })
    },
  },
  {
    name: 'soniox',
    follows: 'Soniox REST API, "Async transcription", v1, stt-async-v4',
    pending: JSON.stringify({ id: 'job-1', status: 'processing', file_id: 'file-1' }),
    isSubmission: ({ method, address }) => method === 'POST' && address === '/v1/transcriptions',
    isPoll: ({ method, address }) => method === 'GET' && address === '/v1/transcriptions/job-1',
    done: ({ method, address }) => {
      if (method === 'POST' && address === '/v1/files') return json({ id: 'file-1' }, 201)
      if (method === 'POST') return json({ id: 'job-1', status: 'queued' }, 201)
      if (address.startsWith('/v1/transcriptions?')) return json({ transcriptions: [] })
      if (!address.endsWith('/transcript')) {
        return json({ id: 'job-1', status: 'completed', file_id: 'file-1' })
      }
      const tokens = [
        sonioxToken('Hel', 100, 300),
        sonioxToken('lo', 300, 500),
        sonioxToken(' there.', 500, 900),
      ]
      return json({ id: 'job-1', text: 'Hello there.', tokens })
    },
  },
  {
    name: 'gladia',
    follows: 'Gladia API reference, v2 "pre-recorded"',
    pending: JSON.stringify({ id: 'job-1', status: 'processing' }),
    isSubmission: ({ method, address }) => method === 'POST' && address === '/v2/pre-recorded',
    isPoll: ({ method, address }) => method === 'GET' && address === '/v2/pre-recorded/job-1',
    done: ({ method, address }) => {
      if (method === 'POST' && address === '/v2/upload') {
        return json({ audio_url: 'https://api.gladia.io/file/1' })
      }
      if (method === 'POST') return json({ id: 'job-1', result_url: 'x' }, 201)
      if (address.includes('?')) return json({ items: [] })
      const words = said.map(([word, start, end]) => ({ word: ` ${word}`, start, end }))
      const utterance = { start: 0.1, end: 0.9, text: 'Hello there.', speaker: 0, words }
      return json({
        id: 'job-1',
        status: 'done',
        result: { transcription: { utterances: [utterance] } },
      })
    },
  },
]
