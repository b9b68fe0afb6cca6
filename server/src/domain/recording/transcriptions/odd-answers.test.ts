import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { pino } from 'pino'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import {
  ASKED_AGAIN,
  ODD_AUDIO_SEC,
  type OddAnswer,
  REFUSED,
} from '../../../testing/odd-answers/odd-answer.ts'
import { VENDOR_ANSWERS } from '../../../testing/odd-answers/vendors.ts'
import { WHISPER_ANSWERS } from '../../../testing/odd-answers/whisper.ts'
import { engineOf } from '../../../testing/played-transcriptions.ts'
import { type PlayedCall, type PlayedVendor, playVendor } from '../../../testing/played-vendors.ts'
import { FIXTURES, HELLO } from '../../../testing/vendor-answers.ts'
import { JOB_ID } from '../../../testing/vendors/vendor-fixture.ts'
import { readCues } from '../../../testing/vtt.ts'
import { checkWords } from './check-words.ts'
import { type EngineProblem, EngineError } from './engines/engine.ts'
import { parseOutput } from './engines/parse-output.ts'
import type { HeardWord } from './engines/word.ts'
import { cuesOf, writeWebvtt } from './webvtt.ts'

let folder = ''
let vendor: PlayedVendor
beforeAll(async () => {
  folder = await mkdtemp(path.join(tmpdir(), 'interview-room-odd-'))
  await writeFile(path.join(folder, 'audio.flac'), 'sound')
  vendor = await playVendor(() => ({ status: 500 }))
})
afterAll(async () => {
  await vendor.close()
  await rm(folder, { recursive: true, force: true })
})

const order = (language: string) => ({
  path: path.join(folder, 'audio.flac'),
  durationSec: ODD_AUDIO_SEC,
  reference: 'r',
  language,
  translate: false,
  signal: new AbortController().signal,
})

const silent = pino({ enabled: false })

async function heardFrom({ vendor: name, answer, language = 'en-US' }: OddAnswer) {
  const fixture = FIXTURES.find((each) => each.name === name)
  if (fixture === undefined) throw new RangeError(name)
  const usual = fixture.hearing(HELLO)
  const isTranscript = (call: PlayedCall) =>
    fixture.job === undefined ||
    call.address.includes('/transcript?') ||
    call.address.endsWith('/transcript') ||
    (name === 'gladia' && fixture.job.isPoll(call))
  vendor.usual = (call) => (isTranscript(call) ? { status: 200, body: answer } : usual(call))
  const { engine_c: engine } = engineOf(fixture, vendor.url)
  const submitted = await engine?.submit(order(language))
  if (submitted?.kind === 'done') return submitted.words
  const polled = await engine?.poll?.({ ...order(language), providerId: JOB_ID })
  if (polled?.kind !== 'done') throw new TypeError('not done')
  return polled.words
}

/** The text of the file, or what becomes of the answer. */
async function outcomeOf(odd: OddAnswer): Promise<OddAnswer['expected']> {
  try {
    const words = checkWords(await heardFrom(odd), { durationSec: ODD_AUDIO_SEC, log: silent })
    const { cues, errors } = readCues(writeWebvtt(cuesOf([words])))
    expect(errors).toEqual([])
    expect(words.every(({ startSec, endSec }) => startSec >= 0 && endSec >= startSec)).toBe(true)
    expect(cues.length > 0).toBe(words.length > 0)
    return words
      .map(({ text }) => text)
      .join('')
      .trim()
  } catch (error) {
    if (!(error instanceof EngineError)) throw error
    return error.problem.isTransient ? ASKED_AGAIN : REFUSED
  }
}

describe.each([...Map.groupBy([...WHISPER_ANSWERS, ...VENDOR_ANSWERS], (odd) => odd.vendor)])(
  'an odd answer of %s is read as far as it goes',
  (_, answers) => {
    test.each(answers.map((odd) => [odd.says, odd] as const))('%s', async (_says, odd) => {
      expect(await outcomeOf(odd)).toBe(odd.expected)
    })
  },
)

const line = (start: unknown, end: unknown, text: unknown) => ({ start, end, text })

describe('a local program may print', () => {
  test.each([
    ['a line without an end', { segments: [line(0, 2, ' First.'), line(10, null, ' Last.')] }],
    [
      'a speaker that is a number',
      { segments: [{ ...line(0, 2, 'First.'), speaker: 1 }, line(10, 11, 'Last.')] },
    ],
    [
      'a line without a text',
      { segments: [line(0, 2, 'First.'), line(3, 4, null), line(10, 11, 'Last.')] },
    ],
    [
      'offsets that run backwards',
      {
        transcription: [
          { text: ' First.', offsets: { from: 2000, to: 0 } },
          { text: ' Last.', offsets: { from: 10_000, to: 12_000 } },
        ],
      },
    ],
    [
      'no words beside its lines',
      { words: null, segments: [line(0, 2, 'First.'), line(10, 12, 'Last.')] },
    ],
  ])('%s', (_says, printed) => {
    const heard = parseOutput(JSON.stringify(printed), 'en-US')
    const words = checkWords(heard, { durationSec: ODD_AUDIO_SEC, log: silent })
    expect(words.map(({ text }) => text).join('')).toBe(' First. Last.')
  })
})

const word = (startSec: number | null, endSec: number | null, more: object = {}): HeardWord => ({
  text: ' word',
  startSec,
  endSec,
  speaker: null,
  ...more,
})
const timesOf = (words: readonly HeardWord[]) =>
  checkWords(words, { durationSec: 14, log: silent }).map(({ startSec, endSec }) => [
    startSec,
    endSec,
  ])

describe('the words of an answer', () => {
  test.each([
    [
      'without times lies between its neighbours',
      [word(0, 2), word(null, null), word(4, 5)],
      [
        [0, 2],
        [2, 4],
        [4, 5],
      ],
    ],
    [
      'without an end ends where the next one begins',
      [word(0, null), word(3, 4)],
      [
        [0, 3],
        [3, 4],
      ],
    ],
    ['without an end lasts five seconds at most', [word(0, null)], [[0, 5]]],
    [
      'without a start begins where the one before ends',
      [word(0, 2), word(null, 4)],
      [
        [0, 2],
        [2, 4],
      ],
    ],
    ['that ends a moment before it begins has no length', [word(1, 0.8)], [[1, 1]]],
    ['that begins before the audio begins with it', [word(-5, 1)], [[0, 1]]],
    ['that ends long after the audio ends with it', [word(10, 95)], [[10, 14]]],
  ] as const)('%s', (_says, words, times) => {
    expect(timesOf(words)).toEqual(times)
  })

  const lasting = Array.from({ length: 20 }, (_, at) => word(at / 2, at / 2 + 0.4))
  const elsewhere = word(900, 901)

  test('are refused when more than a tenth is of another audio, and kept before', () => {
    const problem: EngineProblem = { isTransient: false, reason: 'result_invalid' }
    expect(timesOf([...lasting, elsewhere, elsewhere])).toHaveLength(20)
    expect(() => timesOf([...lasting, elsewhere, elsewhere, elsewhere])).toThrow(
      expect.objectContaining({ problem }),
    )
  })

  test('are logged by their counts when they are odd, without a text', () => {
    const lines: string[] = []
    const log = pino({}, { write: (line) => lines.push(line) })
    checkWords(lasting, { durationSec: 14, log })
    expect(lines).toEqual([])
    checkWords([...lasting, elsewhere, word(null, 12)], { durationSec: 14, log })
    expect(JSON.parse(lines.join(''))).toMatchObject({ words: 22, dropped: 1, guessed: 1 })
    expect(lines.join('')).not.toContain(' word"')
  })

  test.each([
    [0.7, 0.7],
    [2, null],
    [undefined, null],
  ])('keep a confidence of %s as %s', (confidence, kept) => {
    const [checked] = checkWords([word(0, 1, { confidence })], { durationSec: 14, log: silent })
    expect(checked?.confidence).toBe(kept)
  })
})
