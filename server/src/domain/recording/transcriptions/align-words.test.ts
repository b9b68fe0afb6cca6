import { describe, expect, test } from 'vitest'
import { alignWords } from './align-words.ts'
import type { Word } from './engines/word.ts'

const word = (text: string, startSec: number, endSec: number): Word => ({
  text,
  startSec,
  endSec,
  speaker: 'A',
  confidence: 0.5,
})

const ENGLISH = [
  word(' I', 1, 1.2),
  word(' buy', 1.3, 1.6),
  word(' tee,', 1.7, 2.1),
  word(' mostly', 2.2, 2.8),
]
const JAPANESE = [
  word('お茶', 1, 1.4),
  word('は', 1.4, 1.5),
  word('異路', 1.6, 2),
  word('です。', 2, 2.4),
]

type Timed = [text: string, startSec: number, endSec: number]
const timed = (words: readonly Word[]): Timed[] =>
  words.map(({ text, startSec, endSec }) => [
    text,
    Math.round(startSec * 1000) / 1000,
    Math.round(endSec * 1000) / 1000,
  ])

describe('a corrected line', () => {
  test.each<[name: string, text: string, words: Timed[]]>([
    [
      'gives a changed word the time between its neighbours',
      'I buy tea, mostly',
      [
        [' I', 1, 1.2],
        [' buy', 1.3, 1.6],
        [' tea,', 1.6, 2.2],
        [' mostly', 2.2, 2.8],
      ],
    ],
    [
      'keeps times where only letter case and punctuation change',
      'I buy TEE. Mostly!',
      [
        [' I', 1, 1.2],
        [' buy', 1.3, 1.6],
        [' TEE.', 1.7, 2.1],
        [' Mostly!', 2.2, 2.8],
      ],
    ],
    [
      'shares the time among several new words by their length',
      'I buy teas cold mostly',
      [
        [' I', 1, 1.2],
        [' buy', 1.3, 1.6],
        [' teas', 1.6, 1.9],
        [' cold', 1.9, 2.2],
        [' mostly', 2.2, 2.8],
      ],
    ],
    [
      'keeps both ends when words in the middle are removed',
      'I mostly',
      [
        [' I', 1, 1.2],
        [' mostly', 2.2, 2.8],
      ],
    ],
    [
      'keeps words between two changes',
      'We buy tea, mostly',
      [
        [' We', 0.9, 1.3],
        [' buy', 1.3, 1.6],
        [' tea,', 1.6, 2.2],
        [' mostly', 2.2, 2.8],
      ],
    ],
    ['shares the whole line when nothing stays', 'Never', [[' Never', 0.9, 3]]],
  ])('%s', (_name, text, words) => {
    expect(timed(alignWords({ text, startSec: 0.9, endSec: 3 }, ENGLISH, 'en-US'))).toEqual(words)
  })

  test('in a language without spaces keeps the words that stay whole', () => {
    const line = { text: 'お茶は色です。', startSec: 1, endSec: 2.4 }
    expect(timed(alignWords(line, JAPANESE, 'ja-JP'))).toEqual([
      ['お茶', 1, 1.4],
      ['は', 1.4, 1.5],
      ['色', 1.5, 2],
      ['です。', 2, 2.4],
    ])
  })

  test('keeps the confidence of what was heard, and gives new words none', () => {
    const words = alignWords({ text: 'I sell', startSec: 1, endSec: 2 }, ENGLISH, 'en-US')
    expect(words.map(({ confidence }) => confidence)).toEqual([0.5, undefined])
  })

  test('of other words throughout costs no more than a share of the time', () => {
    const long = Array.from({ length: 1000 }, (_, at) => word(` w${at}`, at, at + 1))
    const text = Array.from({ length: 300 }, (_, at) => `x${at}`).join(' ')
    const words = alignWords({ text, startSec: 0, endSec: 300 }, long, 'en-US')
    expect([words.length, words.at(-1)?.endSec]).toEqual([300, expect.closeTo(300, 6)])
  })
})
