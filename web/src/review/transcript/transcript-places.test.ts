import { describe, expect, test } from 'vitest'
import { folded } from '../../design/marked-pieces.ts'
import { hitsOf, lineAt, rangeOf, sentenceFrom } from './transcript-places.ts'

const line = (startSec: number, endSec: number, text = '') => ({
  startSec,
  endSec,
  speaker: null,
  text,
})
const LINES = [
  line(2, 4, 'The label'),
  line(5, 8, 'ＬＡＢＥＬ again'),
  line(10, 12.5, 'ラベルです'),
]
const TEXTS = LINES.map(({ text }) => folded(text))

describe('the line at a position', () => {
  test.each([
    [0, -1],
    [2, 0],
    [4.5, 0],
    [4.96, 1],
    [11, 2],
    [99, 2],
  ])('%d s is %d', (sec, index) => {
    expect(lineAt(LINES, sec)).toBe(index)
  })
})

describe('sentence by sentence', () => {
  test.each([
    [0, 1, 2],
    [2, 1, 5],
    [11, 1, undefined],
    [7, -1, 5],
    [5.5, -1, 2],
    [2.1, -1, 2],
  ] as const)('from %d s by %d leads to %s', (sec, step, to) => {
    expect(sentenceFrom(LINES, sec, step)).toBe(to)
  })
})

describe('a search', () => {
  test('finds words in either case and width', () => {
    expect(hitsOf(TEXTS, ' label ')).toEqual([0, 1])
    expect(hitsOf(TEXTS, 'ﾗﾍﾞﾙ')).toEqual([2])
    expect(hitsOf(TEXTS, '  ')).toEqual([])
  })
})

test('selected lines are the range from their first word to their last', () => {
  expect(rangeOf(LINES.slice(0, 2))).toEqual({ startSec: 2, endSec: 8 })
  expect(rangeOf([line(1, 9), line(2, 3)])).toEqual({ startSec: 1, endSec: 9 })
  expect(rangeOf([])).toBeNull()
})
