import { compareWords, wordsOf } from '@interview-room/server/src/testing/spoken-words.ts'
import { describe, expect, test } from 'vitest'

const compare = (said: string, written: string) => compareWords(wordsOf(said), wordsOf(written))

describe('a transcript compared with the script', () => {
  test('is complete when every word is there, regardless of case and punctuation', () => {
    expect(compare('Good morning, and thanks.', 'good morning\nand thanks')).toEqual({
      present: 1,
      errorRate: 0,
    })
  })

  test.each([
    ['misses a word', 'a b d', { present: 0.75, errorRate: 0.25 }],
    ['has another word instead', 'a x c d', { present: 0.75, errorRate: 0.25 }],
    ['has an extra word', 'a b x c d', { present: 1, errorRate: 0.25 }],
    ['has two words in the wrong order', 'b a c d', { present: 0.75, errorRate: 0.5 }],
    ['is something else', 'u v w x y', { present: 0, errorRate: 1.25 }],
    ['is nothing', '', { present: 0, errorRate: 1 }],
  ])('that %s', (_, written, expected) => {
    expect(compare('a b c d', written)).toEqual(expected)
  })
})
