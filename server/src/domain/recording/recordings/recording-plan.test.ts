import { describe, expect, test } from 'vitest'
import { type GivenSegment, SEGMENT_AT, segmentOf } from '../../../testing/segments.ts'
import {
  type Decision,
  dependsOnPublishers,
  nextLookAt,
  type Step,
  stepOf,
} from './recording-plan.ts'
import type { RecordingState } from './recording-state.ts'
import { RESTARTS_MAX } from './recording.ts'
import type { RunningRow } from './running-store.ts'
import type { SegmentPerson } from './segment.ts'

const NOW = SEGMENT_AT
const ago = (sec: number) => new Date(NOW.getTime() - sec * 1000)
const inSec = (sec: number) => ago(-sec)

const RUNNING: RunningRow = {
  id: 'recording',
  status: 'started',
  outputMode: 'composed',
  isIntention: false,
  since: ago(120),
  interruptedAt: null,
  restarts: 0,
}
const INTERRUPTED: RunningRow = {
  ...RUNNING,
  status: 'paused',
  interruptedAt: ago(40),
  restarts: 1,
}
const INDIVIDUAL: RunningRow = { ...RUNNING, outputMode: 'individual' }

const FACTS: RecordingState = {
  room: {
    tenantId: 'tenant',
    roomId: 'room',
    archiveMode: 'always',
    archiveResolution: '1280x720',
    streamFrameRate: 15,
    isReleased: false,
    startsAt: null,
    endsAt: null,
    presentCount: 2,
    lastLeftAt: null,
  },
  running: RUNNING,
  last: undefined,
  segments: [segmentOf({})],
  consents: { missing: [], refused: [] },
}

const personOf = (mediaIdentity: string): SegmentPerson => ({
  mediaIdentity,
  participantId: null,
  role: 'panelist',
  displayName: mediaIdentity,
})
const ANNA = personOf('anna')
const BEN = personOf('ben')

const NOTHING: Step = { do: 'nothing' }
const LOST = { status: 'failed', statusAt: ago(40), createdAt: ago(60) } as const
/** The next segment after an interruption did not begin. */
const UNBEGUN = { status: 'failed', position: 1, createdAt: ago(30), startedAt: null } as const

/** Reported as lost, and not checked in the storage yet. */
const IN_DOUBT = { status: 'ending', doubt: 'upload_failed' } as const

const goesOn = (position: number, isRetry: boolean): Step => ({
  do: 'go_on',
  position,
  people: [],
  isRetry,
})
const goesOnWith = (...people: SegmentPerson[]): Decision => ({
  step: { do: 'go_on', position: 0, people, isRetry: false },
})

type Row = readonly [what: string, facts: Partial<RecordingState>, decision: Decision]

describe('the step of a room', () => {
  const TABLE: readonly Row[] = [
    ['a running one continues', {}, { step: NOTHING }],
    ['a needed one starts', { running: undefined, segments: [] }, { step: { do: 'start' } }],
    [
      'a refusal stops it',
      { consents: { missing: ['anna'], refused: ['anna'] } },
      { step: { do: 'stop', reason: 'consent_refused' } },
    ],
    [
      'an empty room is checked again when its minute is over',
      { room: { ...FACTS.room, presentCount: 0, lastLeftAt: ago(20) } },
      { step: NOTHING, lookAt: inSec(40) },
    ],
    [
      'one that is reported as lost ends while the storage does not answer',
      { segments: [segmentOf(IN_DOUBT)] },
      { step: { do: 'give_up', consequences: [{ do: 'stop' }] } },
    ],
    [
      'one that a moderator paused stays paused',
      { running: { ...RUNNING, status: 'paused' }, segments: [segmentOf({ status: 'complete' })] },
      { step: NOTHING },
    ],
  ]

  test.each(TABLE)('%s', (_, facts, decision) => {
    expect(stepOf({ ...FACTS, ...facts }, [ANNA], NOW)).toEqual(decision)
  })
})

describe('the step of a recording whose recorder died', () => {
  const TABLE: readonly Row[] = [
    [
      'it continues in the next segment',
      { segments: [segmentOf({ position: 2, status: 'complete' })] },
      { step: goesOn(3, false) },
    ],
    [
      'one segment is not over yet',
      { segments: [segmentOf(LOST), segmentOf({ position: 1 })] },
      { step: NOTHING },
    ],
    [
      'a segment that did not begin is awaited for ten seconds',
      { segments: [segmentOf(LOST), segmentOf({ ...UNBEGUN, statusAt: ago(4) })] },
      { step: NOTHING, lookAt: inSec(6) },
    ],
    [
      'then another one begins',
      { segments: [segmentOf(LOST), segmentOf({ ...UNBEGUN, statusAt: ago(10) })] },
      { step: goesOn(2, true) },
    ],
    [
      'interrupted too often: the rest becomes available',
      {
        running: { ...INTERRUPTED, restarts: RESTARTS_MAX },
        segments: [segmentOf({ status: 'complete' }), segmentOf({ ...UNBEGUN, statusAt: ago(10) })],
      },
      { step: { do: 'give_up', consequences: [{ do: 'stop' }, { do: 'finish' }] } },
    ],
    [
      'interrupted too often, without kept segments: it fails',
      {
        running: { ...INTERRUPTED, restarts: RESTARTS_MAX },
        segments: [segmentOf(LOST), segmentOf({ ...UNBEGUN, statusAt: ago(10) })],
      },
      { step: { do: 'give_up', consequences: [{ do: 'fail', reason: 'provider_failed' }] } },
    ],
    [
      'interrupted too often, and one segment has not ended yet: its content decides',
      {
        running: { ...INTERRUPTED, restarts: RESTARTS_MAX },
        segments: [
          segmentOf({ endsAskedAt: ago(40), stalledAt: ago(60) }),
          segmentOf({ ...UNBEGUN, statusAt: ago(10) }),
        ],
      },
      { step: { do: 'give_up', consequences: [{ do: 'stop' }] } },
    ],
    [
      'a segment that its provider reports as lost is not awaited',
      { segments: [segmentOf({ ...IN_DOUBT, position: 0 })] },
      { step: goesOn(1, false) },
    ],
    [
      'the end of the room comes first',
      { room: { ...FACTS.room, isReleased: true }, segments: [segmentOf(LOST)] },
      { step: { do: 'stop', reason: 'room_closed' } },
    ],
  ]

  test.each(TABLE)('%s', (_, facts, decision) => {
    expect(stepOf({ ...FACTS, running: INTERRUPTED, ...facts }, [ANNA], NOW)).toEqual(decision)
  })
})

describe('the step of an individual recording', () => {
  const annas = (given: GivenSegment) => segmentOf({ person: ANNA, ...given })
  const TABLE: readonly Row[] = [
    ['a person without a segment gets one', { segments: [annas({})] }, goesOnWith(BEN)],
    [
      'nobody gets one before they have agreed',
      { segments: [annas({})], consents: { missing: ['ben'], refused: [] } },
      { step: NOTHING },
    ],
    [
      'a person whose segment is reported as lost gets another one after half a minute',
      {
        segments: [
          annas({ ...IN_DOUBT, statusAt: ago(30) }),
          segmentOf({ ...IN_DOUBT, person: BEN, statusAt: ago(29) }),
        ],
      },
      goesOnWith(ANNA),
    ],
    [
      'a person who came back gets another one',
      { segments: [annas({ status: 'complete' })] },
      goesOnWith(ANNA, BEN),
    ],
    [
      'a person whose segment failed waits for half a minute',
      { segments: [annas({ status: 'failed', statusAt: ago(29) })] },
      goesOnWith(BEN),
    ],
    [
      'and gets another one then',
      { segments: [annas({ status: 'failed', statusAt: ago(30) })] },
      goesOnWith(ANNA, BEN),
    ],
    [
      'after six failures there are no more',
      { segments: Array.from({ length: 6 }, () => annas({ status: 'failed' })) },
      goesOnWith(BEN),
    ],
    [
      'a paused one gets no further segments',
      { running: { ...INDIVIDUAL, status: 'paused' } },
      { step: NOTHING },
    ],
  ]

  test.each(TABLE)('%s', (_, facts, decision) => {
    expect(stepOf({ ...FACTS, running: INDIVIDUAL, ...facts }, [ANNA, BEN], NOW)).toEqual(decision)
  })
})

describe('the provider is asked for the published tracks', () => {
  const TABLE: readonly (readonly [what: string, facts: Partial<RecordingState>, boolean])[] = [
    ['if a recording may start automatically', { running: undefined }, true],
    [
      'not in a room that is recorded manually',
      { running: undefined, room: { ...FACTS.room, archiveMode: 'manual' } },
      false,
    ],
    [
      'not in an empty room',
      { running: undefined, room: { ...FACTS.room, presentCount: 0 } },
      false,
    ],
    ['not for a composed recording', {}, false],
    ['for an individual recording', { running: INDIVIDUAL }, true],
    ['not while that recording is paused', { running: { ...INDIVIDUAL, status: 'paused' } }, false],
  ]

  test.each(TABLE)('%s', (_, facts, isAsked) => {
    expect(dependsOnPublishers({ ...FACTS, ...facts })).toBe(isAsked)
  })
})

describe('the room is checked again', () => {
  const TABLE: readonly (readonly [
    what: string,
    segments: GivenSegment[],
    lookAt: Date | undefined,
    expected: Date | undefined,
  ])[] = [
    ['never, when nothing is unfinished', [], undefined, undefined],
    ['at the time of the decision', [], inSec(40), inSec(40)],
    ['after the polling interval', [{}], undefined, inSec(10)],
    ['when a recorder counts as dead', [{ recorderGoneAt: ago(2) }], undefined, inSec(3)],
    ['when a start is overdue', [{ status: 'starting', statusAt: ago(85) }], undefined, inSec(5)],
    [
      'when an answer is lost',
      [{ status: 'requested', statusAt: ago(8), askedAt: ago(8) }],
      undefined,
      inSec(7),
    ],
    [
      'a moment after all recorders have refused a start',
      [{ status: 'requested', recorder: null, statusAt: ago(1), askedAt: ago(1) }],
      undefined,
      inSec(2),
    ],
    ['at the earliest of these times', [{}], inSec(4), inSec(4)],
    ['not in the past', [{}], ago(4), inSec(10)],
  ]

  test.each(TABLE)('%s', (...[, segments, lookAt, expected]) => {
    const unfinished = segments.map((given) => segmentOf(given))
    expect(nextLookAt(unfinished, lookAt, NOW, 10)).toEqual(expected)
  })
})
