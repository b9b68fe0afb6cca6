import { array, assert, nat, property, tuple } from 'fast-check'
import { describe, expect, test } from 'vitest'
import { difference, intersection, type Span, totalSec, union } from './spans.ts'

const span = (fromMs: number, toMs: number): Span => ({ fromMs, toMs })
const spans = array(
  tuple(nat(50), nat(50)).map(([from, length]) => span(from, from + length)),
  { maxLength: 8 },
)
const has = (list: readonly Span[], ms: number) =>
  list.some(({ fromMs, toMs }) => ms >= fromMs && ms < toMs)
const MOMENTS = Array.from({ length: 110 }, (_, index) => index)

describe('spans', () => {
  test('are merged if they touch', () => {
    expect(union([span(5, 9), span(0, 5), span(20, 20)])).toEqual([span(0, 9)])
  })

  test('contain each moment exactly as the definition says', () => {
    assert(
      property(spans, spans, (a, b) => {
        const both = intersection(a, b)
        const rest = difference(a, b)
        for (const ms of MOMENTS) {
          expect(has(union(a), ms)).toBe(has(a, ms))
          expect(has(both, ms)).toBe(has(a, ms) && has(b, ms))
          expect(has(rest, ms)).toBe(has(a, ms) && !has(b, ms))
        }
        expect(totalSec(both) + totalSec(rest)).toBeCloseTo(totalSec(union(a)), 9)
      }),
    )
  })
})
