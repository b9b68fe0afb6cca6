import { describe, expect, test } from 'vitest'
import { type GivenSegment, segmentOf } from '../../../testing/segments.ts'
import { consequenceOf } from './segment-consequence.ts'
import type { Segment, SegmentStatus } from './segment.ts'

const MOMENT = new Date('2026-06-01T10:00:00.000Z')

type Given = GivenSegment & { status: SegmentStatus }

function segmentAt(given: Given, index: number): Segment {
  return segmentOf({
    id: String(index),
    position: index,
    startedAt: given.status === 'aborted' ? null : MOMENT,
    failureReason: `lost-${index}`,
    ...given,
  })
}

type Row = readonly [
  what: string,
  status: 'started' | 'paused' | 'stopped',
  segments: Given[],
  consequence: object[],
]

const COMPLETE = { status: 'complete' } as const
const FAILED = { status: 'failed' } as const
const ABORTED = { status: 'aborted' } as const

/** The last segment has just moved. */
const COMPOSED: readonly Row[] = [
  ['begins', 'started', [{ status: 'active' }], []],
  ['its segment ends without a request', 'started', [{ status: 'ending' }], [{ do: 'stop' }]],
  [
    'its segment has ended without a request',
    'started',
    [COMPLETE],
    [{ do: 'stop' }, { do: 'finish' }],
  ],
  ['its only segment failed', 'started', [FAILED], [{ do: 'fail', reason: 'lost-0' }]],
  [
    'a later segment failed',
    'started',
    [COMPLETE, FAILED],
    [{ do: 'note_loss', reason: 'lost-1' }, { do: 'stop' }, { do: 'finish' }],
  ],
  [
    'a later segment failed, and the earlier one is not stored yet',
    'started',
    [{ status: 'ending' }, FAILED],
    [{ do: 'note_loss', reason: 'lost-1' }, { do: 'stop' }],
  ],
  ['a segment never began', 'started', [ABORTED], [{ do: 'again', segment: { id: '0' } }]],
  [
    'the second start never began either',
    'started',
    [
      { ...ABORTED, position: 0 },
      { ...ABORTED, position: 0, attempt: 2 },
    ],
    [{ do: 'fail', reason: 'lost-1' }],
  ],
  ['paused, and its segment is complete', 'paused', [COMPLETE], []],
  [
    'paused, and its only segment failed',
    'paused',
    [FAILED],
    [{ do: 'note_loss', reason: 'lost-0' }],
  ],
  ['paused before it began', 'paused', [{ ...ABORTED, endsAskedAt: MOMENT }], []],
  [
    'paused, and its segment was silent until the end',
    'paused',
    [{ ...FAILED, startedAt: null, endsAskedAt: MOMENT, failureReason: 'start_timeout' }],
    [],
  ],
  [
    'stopped after a pause before a later segment began',
    'stopped',
    [COMPLETE, { ...ABORTED, endsAskedAt: MOMENT }],
    [{ do: 'finish' }],
  ],
  ['stopped, and its segment is complete', 'stopped', [COMPLETE], [{ do: 'finish' }]],
  ['stopped, and one segment has not ended yet', 'stopped', [{ status: 'ending' }, COMPLETE], []],
  [
    'stopped, and its last segment is lost',
    'stopped',
    [COMPLETE, FAILED],
    [{ do: 'note_loss', reason: 'lost-1' }, { do: 'finish' }],
  ],
  [
    'stopped before it began',
    'stopped',
    [{ ...ABORTED, endsAskedAt: MOMENT }],
    [{ do: 'fail', reason: 'lost-0' }],
  ],
]

describe('a composed recording', () => {
  test.each(COMPOSED)('%s (%s)', (...[, status, given, consequence]) => {
    const segments = given.map((each, index) => segmentAt(each, index))
    const moved = String(segments.length - 1)
    const found = consequenceOf({ status, outputMode: 'composed' }, segments, moved)
    expect(found).toMatchObject(consequence)
    expect(found).toHaveLength(consequence.length)
  })
})

const INDIVIDUAL: readonly Row[] = [
  ['somebody has left', 'started', [COMPLETE, { status: 'active' }], []],
  ['the last one has left', 'started', [COMPLETE], []],
  ['everything failed so far', 'started', [FAILED], [{ do: 'note_loss', reason: 'lost-0' }]],
  ['stopped, with nothing', 'stopped', [FAILED], [{ do: 'fail', reason: 'lost-0' }]],
  ['stopped, and all are complete', 'stopped', [COMPLETE, COMPLETE], [{ do: 'finish' }]],
]

describe('an individual recording', () => {
  test.each(INDIVIDUAL)('%s (%s)', (...[, status, given, consequence]) => {
    const person = { participantId: null, role: 'panelist', displayName: 'P' } as const
    const segments = given.map((each, index) =>
      segmentAt(
        { ...each, position: 0, person: { ...person, mediaIdentity: String(index) } },
        index,
      ),
    )
    const moved = String(segments.length - 1)
    const found = consequenceOf({ status, outputMode: 'individual' }, segments, moved)
    expect(found).toEqual(consequence)
  })
})
