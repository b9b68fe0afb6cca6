import { describe, expect, test } from 'vitest'
import type { EgressStatus } from '../../../platform/ports/egress.ts'
import {
  deadlineOf,
  mayHaveDelivered,
  moveOf,
  orderOfRecorders,
  type Segment,
  type SegmentMove,
} from './segment.ts'

const FILE = { sizeBytes: 1, durationSec: 1 }
const MOMENT = new Date('2026-06-01T10:00:00.000Z')
const after = (sec: number) => new Date(MOMENT.getTime() + sec * 1000)

describe("the provider's report about an egress, with a file and without", () => {
  const TABLE: readonly (readonly [EgressStatus, withFile: SegmentMove, without: SegmentMove])[] = [
    ['starting', { to: 'starting' }, { to: 'starting' }],
    ['active', { to: 'active' }, { to: 'active' }],
    ['ending', { to: 'ending' }, { to: 'ending' }],
    [
      'complete',
      { to: 'complete', file: FILE, hitLimit: false },
      { to: 'failed', reason: 'provider_failed' },
    ],
    [
      'limit_reached',
      { to: 'complete', file: FILE, hitLimit: true },
      { to: 'failed', reason: 'provider_failed' },
    ],
    [
      'failed',
      { to: 'failed', reason: 'provider_failed' },
      { to: 'failed', reason: 'provider_failed' },
    ],
    [
      'aborted',
      { to: 'aborted', reason: 'provider_aborted' },
      { to: 'aborted', reason: 'provider_aborted' },
    ],
  ]

  test.each(TABLE)('%s', (status, withFile, without) => {
    expect(moveOf({ status, file: FILE, hasUploadFailed: false })).toEqual(withFile)
    expect(moveOf({ status, file: null, hasUploadFailed: false })).toEqual(without)
  })

  test.each(['failed', 'complete', 'limit_reached'] as const)(
    '%s, because the file could not be delivered to the storage',
    (status) => {
      const move = moveOf({ status, file: null, hasUploadFailed: true })
      expect(move).toEqual({ to: 'failed', reason: 'upload_failed' })
    },
  )
})

describe('a report that a segment was lost', () => {
  const began = { startedAt: MOMENT }
  const TABLE: readonly (readonly [
    what: string,
    Partial<Segment>,
    'failed' | 'aborted',
    mayHaveDelivered: boolean,
  ])[] = [
    ['for a segment that is being written', { ...began, status: 'active' }, 'failed', true],
    ['for a segment that is ending', { ...began, status: 'ending' }, 'aborted', true],
    ['for a segment whose beginning was not seen', { status: 'starting' }, 'failed', true],
    ['for a segment aborted before it began', { status: 'starting' }, 'aborted', false],
    ['for a segment that is over', { ...began, status: 'complete' }, 'failed', false],
    [
      'for a segment without a recording',
      { ...began, status: 'active', recordingId: null },
      'failed',
      false,
    ],
    [
      'for a segment that began after it was asked to end',
      { startedAt: after(2), status: 'active', endsAskedAt: after(1) },
      'failed',
      false,
    ],
  ]

  test.each(TABLE)('%s', (...[, given, to, isExpected]) => {
    const none = { recordingId: 'a', startedAt: null, endsAskedAt: null, clockOffsetMs: null }
    const segment = { ...none, ...given } as Segment
    expect(mayHaveDelivered(segment, { to, reason: 'provider_failed' })).toBe(isExpected)
  })
})

describe('the deadline of a segment', () => {
  const ends = { endsAskedAt: after(60) }
  const TABLE: readonly (readonly [
    Segment['status'],
    Partial<Segment>,
    ReturnType<typeof deadlineOf>,
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
    const segment = {
      status,
      statusAt: MOMENT,
      aliveAt: null,
      endsAskedAt: null,
      ...given,
    } as Segment
    expect(deadlineOf(segment)).toEqual(deadline)
  })
})

describe('the recorder of the previous segment', () => {
  const LAST: readonly (readonly [string, Partial<Segment>])[] = [
    ['died', { status: 'complete', recorderGoneAt: MOMENT }],
    ['stalled', { status: 'complete', stalledAt: MOMENT, endsAskedAt: MOMENT }],
    ['failed', { status: 'failed' }],
    ['did not begin', { status: 'aborted' }],
    ['gave no answer', { status: 'requested' }],
  ]
  const IN_TURN: readonly (readonly [string, Partial<Segment>])[] = [
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

function asked(): Partial<Segment> {
  return { endsAskedAt: MOMENT }
}

function writtenBy(recorder: string, given: Partial<Segment>): Segment {
  const none = { endsAskedAt: null, recorderGoneAt: null, stalledAt: null }
  return { recorder, ...none, ...given } as Segment
}
