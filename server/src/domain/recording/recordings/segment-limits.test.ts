import { describe, expect, test } from 'vitest'
import { type GivenSegment, segmentOf } from '../../../testing/segments.ts'
import { deadlinesOf } from './segment-limits.ts'
import type { SegmentStatus } from './segment.ts'

const MOMENT = new Date('2026-06-01T10:00:00.000Z')
const after = (sec: number) => new Date(MOMENT.getTime() + sec * 1000)

describe('the deadline of a segment', () => {
  const ends = { endsAskedAt: after(60) }
  const TABLE: readonly (readonly [
    SegmentStatus,
    GivenSegment,
    ReturnType<typeof deadlinesOf>[0] | undefined,
  ])[] = [
    ['requested', {}, { at: after(90), action: 'start_timeout' }],
    ['requested', ends, { at: after(180), action: 'give_up' }],
    ['starting', {}, { at: after(90), action: 'start_timeout' }],
    ['active', {}, undefined],
    ['active', ends, { at: after(360), action: 'judge' }],
    ['ending', ends, { at: after(600), action: 'judge' }],
    // Counts from the last sign of life, but for a day at most.
    ['ending', { aliveAt: after(3600) }, { at: after(4200), action: 'judge' }],
    ['ending', { aliveAt: after(-3600) }, { at: after(600), action: 'judge' }],
    ['ending', { aliveAt: after(86_000) }, { at: after(86_400), action: 'judge' }],
    ['complete', ends, undefined],
    ['failed', ends, undefined],
    ['aborted', ends, undefined],
  ]

  test.each(TABLE)('that is %s (%o)', (status, given, deadline) => {
    const segment = segmentOf({ status, statusAt: MOMENT, askedAt: null, ...given })
    expect(deadlinesOf(segment)[0]).toEqual(deadline)
  })
})
