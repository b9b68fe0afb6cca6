import { describe, expect, test } from 'vitest'
import { type GivenSegment, segmentOf } from '../../../testing/segments.ts'
import { completenessOf, type PublishingPerson } from './completeness.ts'
import type { Segment } from './segment.ts'

const at = (sec: number) => new Date(Date.UTC(2026, 5, 1, 10) + sec * 1000)
const span = (from: number, to: number) => ({
  fromMs: at(from).getTime(),
  toMs: at(to).getTime(),
})
const NOW = at(600)

/** A complete segment from the tenth second on, ordered at 0. */
function segmentFrom(change: GivenSegment & { from: number; sec: number }): Segment {
  const { from, sec, ...rest } = change
  return segmentOf({
    status: 'complete',
    statusAt: at(from + sec),
    endsAskedAt: at(from + sec),
    startedAt: at(from),
    durationSec: sec,
    createdAt: at(from),
    ...rest,
  })
}

const PERSON: PublishingPerson = {
  mediaIdentity: 'p1',
  participantId: 'p1',
  role: 'panelist',
  displayName: 'P-07',
  published: [span(-100, 1000)],
}

const lost = (from: number, sec: number, failureReason: string) =>
  segmentFrom({ from, sec, status: 'failed', failureReason })

type Facts = Parameters<typeof completenessOf>[0]
const FACTS: Facts = {
  outputMode: 'composed',
  now: NOW,
  wanted: [span(0, 100)],
  people: [PERSON],
  segments: [segmentFrom({ from: 0, sec: 100 })],
}
const completeness = (change: Partial<Facts>) => completenessOf({ ...FACTS, ...change })

describe('a recording is complete', () => {
  // contract: getRecordingCompleteness › `is_complete` true: nobody is missing for
  //   `RECORDING_GAP_MIN_SEC`
  test.each<[string, Partial<Facts>]>([
    ['from the order to the end', {}],
    [
      'with a pause, during which nobody is missing',
      {
        wanted: [span(0, 50), span(80, 100)],
        segments: [segmentFrom({ from: 0, sec: 50 }), segmentFrom({ from: 80, sec: 20 })],
      },
    ],
    [
      'when its recorder is restarted within two seconds',
      { segments: [segmentFrom({ from: 0, sec: 100, absences: [span(50, 51.9)] })] },
    ],
    [
      'when it begins less than two seconds late',
      { segments: [segmentFrom({ from: 1.9, sec: 98.1 })] },
    ],
    [
      'even if somebody came later or left earlier',
      { people: [{ ...PERSON, published: [span(20, 30)] }] },
    ],
    [
      'if each person has their own segments',
      {
        outputMode: 'individual',
        segments: [segmentFrom({ from: 0, sec: 100, person: { ...PERSON } })],
      },
    ],
  ])('%s', (_, change) => {
    const { isComplete, missingSec, people } = completeness(change)
    expect({ isComplete, missingSec, gaps: people[0]?.gaps }).toEqual({
      isComplete: true,
      missingSec: 0,
      gaps: [],
    })
  })
})

describe('a gap has its times and a reason', () => {
  // contract: getRecordingCompleteness › Each gap: times, length, and a reason out of late_start,
  //   recorder_failed, storage_failed, no_media, encrypted, codec_unsupported
  test.each<[string, Partial<Facts>, [number, number, string][]]>([
    ['it began late', { segments: [segmentFrom({ from: 8, sec: 92 })] }, [[0, 8, 'late_start']]],
    [
      'it resumed late after a pause',
      {
        wanted: [span(0, 50), span(80, 100)],
        segments: [segmentFrom({ from: 0, sec: 50 }), segmentFrom({ from: 86, sec: 14 })],
      },
      [[80, 86, 'late_start']],
    ],
    [
      'its recorder died, and another one continued',
      { segments: [lost(0, 30, 'provider_failed'), segmentFrom({ from: 40, sec: 60 })] },
      [[0, 40, 'recorder_failed']],
    ],
    [
      'its recorder stalled, and another one continued',
      {
        segments: [
          segmentFrom({ from: 0, sec: 30, stalledAt: at(30) }),
          segmentFrom({ from: 50, sec: 50 }),
        ],
      },
      [[30, 50, 'recorder_failed']],
    ],
    [
      'the camera used an unsupported codec, while another recorder failed as well',
      {
        segments: [
          segmentFrom({
            from: 0,
            sec: 50,
            absences: [
              { ...span(10, 50), mediaIdentity: 'p1', codec: 'video/VP9' },
              { ...span(0, 50), mediaIdentity: 'p2', codec: 'video/VP9' },
            ],
          }),
          segmentFrom({ from: 60, sec: 40, absences: [{ ...span(0, 55), codec: 'video/AV1' }] }),
        ],
      },
      [
        [10, 50, 'codec_unsupported'],
        [50, 60, 'recorder_failed'],
      ],
    ],
    [
      'an unknown person used an unsupported codec',
      {
        segments: [
          segmentFrom({ from: 0, sec: 100, absences: [{ ...span(30, 36), codec: 'video/AV1' }] }),
        ],
      },
      [[30, 36, 'codec_unsupported']],
    ],
    [
      'its recorder was restarted, and continued the same segment',
      { segments: [segmentFrom({ from: 0, sec: 100, absences: [span(30, 36)] })] },
      [[30, 36, 'recorder_failed']],
    ],
    [
      'nothing came of a track of theirs',
      {
        segments: [
          segmentFrom({
            from: 0,
            sec: 100,
            absences: [
              { ...span(20, 30), mediaIdentity: 'p1', reason: 'no_media' },
              { ...span(25, 32), mediaIdentity: 'p1', reason: 'no_media' },
              { ...span(50, 60), mediaIdentity: 'p2', reason: 'no_media' },
            ],
          }),
        ],
      },
      [[20, 32, 'no_media']],
    ],
    [
      'they encrypt what they send, and their connection broke',
      {
        segments: [
          segmentFrom({
            from: 1,
            sec: 99,
            absences: [
              { ...span(40, 50), mediaIdentity: 'p1', reason: 'no_media' },
              { ...span(0, 100), mediaIdentity: 'p1', reason: 'encrypted' },
            ],
          }),
        ],
      },
      [[0, 100, 'encrypted']],
    ],
    [
      'the recorder was away, and their media came back later than it',
      {
        segments: [
          segmentFrom({
            from: 0,
            sec: 100,
            absences: [span(30, 36), { ...span(29, 40), mediaIdentity: 'p1' }],
          }),
        ],
      },
      [[29, 40, 'recorder_failed']],
    ],
    [
      'their media stopped before the recorder did, and after it came back',
      {
        segments: [
          segmentFrom({
            from: 0,
            sec: 100,
            absences: [
              { ...span(20, 30), mediaIdentity: 'p1', reason: 'no_media' },
              span(30, 36),
              { ...span(36, 37), mediaIdentity: 'p1', reason: 'no_media' },
            ],
          }),
        ],
      },
      [
        [20, 30, 'no_media'],
        [30, 37, 'recorder_failed'],
      ],
    ],
    [
      'its file did not reach the storage',
      { segments: [lost(0, 60, 'upload_failed'), segmentFrom({ from: 60, sec: 40 })] },
      [[0, 60, 'storage_failed']],
    ],
    [
      'it ended early',
      { segments: [segmentFrom({ from: 0, sec: 70 })] },
      [[70, 100, 'recorder_failed']],
    ],
    [
      'for a person who came while nothing was written',
      {
        people: [{ ...PERSON, published: [span(35, 100)] }],
        segments: [segmentFrom({ from: 0, sec: 30 }), segmentFrom({ from: 50, sec: 50 })],
      },
      [[35, 50, 'late_start']],
    ],
    [
      'for a person whose own segment came late',
      {
        outputMode: 'individual',
        segments: [
          segmentFrom({ from: 20, sec: 80, person: PERSON }),
          segmentFrom({ from: 0, sec: 100, person: { ...PERSON, mediaIdentity: 'p2' } }),
        ],
      },
      [[0, 20, 'late_start']],
    ],
  ])('%s', (_, change, gaps) => {
    const { isComplete, missingSec, people } = completeness(change)
    expect(isComplete).toBe(false)
    expect(people[0]?.gaps).toEqual(
      gaps.map(([from, to, reason]) => ({ ...span(from, to), reason })),
    )
    const sec = gaps.reduce((sum, [from, to]) => sum + to - from, 0)
    expect(missingSec).toBe(sec)
    expect(people[0]).toMatchObject({
      actualSec: (people[0]?.expectedSec ?? 0) - sec,
    })
  })

  test('and two people missing at the same time count once', () => {
    const segments = [segmentFrom({ from: 10, sec: 90 })]
    const both = completeness({ segments, people: [PERSON, { ...PERSON, mediaIdentity: 'p2' }] })
    expect(both.missingSec).toBe(10)
    expect(both.people).toHaveLength(2)
  })
})

describe('completeness is unknown', () => {
  test.each<[string, Partial<Facts>]>([
    [
      'while a segment is being written',
      { segments: [segmentFrom({ from: 0, sec: 10, status: 'active' })] },
    ],
    ['for a recording of an earlier version', { wanted: [] }],
    ['if nobody is known to have published', { people: [] }],
  ])('%s', (_, change) => {
    expect(completeness(change).isComplete).toBeNull()
  })

  test('but the part written so far counts', () => {
    const active = {
      from: 0,
      sec: 10,
      status: 'active',

      endsAskedAt: null,
    } as const
    const { people } = completeness({
      wanted: [span(0, 600)],
      segments: [segmentFrom({ ...active, grownAt: at(590) })],
    })
    expect(people[0]).toMatchObject({ expectedSec: 600, actualSec: 590 })
  })
})
