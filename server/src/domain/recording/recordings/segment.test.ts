import { describe, expect, test } from 'vitest'
import { type GivenSegment, segmentOf } from '../../../testing/segments.ts'
import { orderOfRecorders, type Segment } from './segment.ts'

const MOMENT = new Date('2026-06-01T10:00:00.000Z')

describe('the recorder of the previous segment', () => {
  const LAST: readonly (readonly [string, GivenSegment])[] = [
    ['died', { status: 'complete', recorderGoneAt: MOMENT }],
    ['stalled', { status: 'complete', stalledAt: MOMENT, endsAskedAt: MOMENT }],
    ['failed', { status: 'failed' }],
    ['did not begin', { status: 'aborted' }],
    ['gave no answer', { status: 'requested' }],
  ]
  const IN_TURN: readonly (readonly [string, GivenSegment])[] = [
    ['writes', { status: 'active' }],
    [
      'left because it was asked to end',
      { status: 'complete', recorderGoneAt: MOMENT, ...asked() },
    ],
    ['did not begin before it was asked to end', { status: 'aborted', ...asked() }],
  ]

  test.each(LAST)('is asked last when it %s', (_, given) => {
    expect(orderOfRecorders(['a', 'b', 'c'], [writtenBy('a', given)])).toEqual(['b', 'c', 'a'])
  })

  test.each(IN_TURN)('is asked in its turn when it %s', (_, given) => {
    expect(orderOfRecorders(['a', 'b', 'c'], [writtenBy('a', given)])).toEqual(['a', 'b', 'c'])
  })

  test('is asked in its turn if all have failed', () => {
    const failed = ['b', 'a'].map((recorder) => writtenBy(recorder, { status: 'failed' }))
    expect(orderOfRecorders(['a', 'b'], failed)).toEqual(['a', 'b'])
  })
})

function asked(): GivenSegment {
  return { endsAskedAt: MOMENT }
}

function writtenBy(recorder: string, given: GivenSegment): Segment {
  return segmentOf({ recorder, ...given })
}
