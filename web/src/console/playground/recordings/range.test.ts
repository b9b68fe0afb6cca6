import { expect, test } from 'vitest'
import { rangeProblem } from './range.ts'

test.each<[string, number, number, string | null]>([
  ['a part', 1, 2.5, null],
  ['the whole', 0, 10.5, null],
  ['nothing', 2, 2, 'notRange'],
  ['backwards', 3, 2, 'notRange'],
  ['before the beginning', -1, 2, 'notRange'],
  ['not a number', Number.NaN, 2, 'notRange'],
  ['more than there is', 0, 10.6, 'tooLong'],
])('of a recording of 10.5 s, %s from %d to %d: %s', (...[, start, end, problem]) => {
  expect(rangeProblem({ startSec: start, endSec: end }, 10.5)).toBe(problem)
})
