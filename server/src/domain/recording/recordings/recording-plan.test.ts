import { describe, expect, test } from 'vitest'
import {
  type Command,
  commandOf,
  type Decision,
  dependsOnPublishers,
  nextLookAt,
  type ObservedRoom,
  type RecordingState,
  type Step,
  settlementsOf,
  stepOf,
} from './recording-plan.ts'
import { RESTARTS_MAX } from './recording.ts'
import type { RecordedPerson, RunningRow } from './running-store.ts'
import type { Segment } from './segment.ts'

const NOW = new Date('2026-06-01T10:10:00.000Z')
const ago = (sec: number) => new Date(NOW.getTime() - sec * 1000)
const inSec = (sec: number) => ago(-sec)

const SEGMENT: Segment = {
  id: 'a',
  roomId: 'room',
  recordingId: 'recording',
  position: 0,
  person: null,
  attempt: 1,
  egressId: 'EG_a',
  recorder: 'http://a.test',
  status: 'active',
  statusAt: ago(60),
  askedAt: ago(60),
  isUntaken: false,
  aliveAt: null,
  endsAskedAt: null,
  storageKey: 'key',
  startedAt: ago(60),
  endedAt: null,
  sizeBytes: null,
  durationSec: null,
  failureReason: null,
  isOverdue: false,
  recorderGoneAt: null,
  writtenBytes: null,
  grownAt: null,
  stalledAt: null,
  clockOffsetMs: null,
  absences: [],
  createdAt: ago(60),
}
const segmentOf = (given: Partial<Segment>): Segment => ({ ...SEGMENT, ...given })

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
  segments: [SEGMENT],
  consents: { missing: [], refused: [] },
}

const personOf = (mediaIdentity: string): RecordedPerson => ({
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
const IN_DOUBT = { status: 'ending', failureReason: 'upload_failed' } as const

const goesOn = (position: number, isRetry: boolean): Step => ({
  do: 'go_on',
  position,
  people: [],
  isRetry,
})
const goesOnWith = (...people: RecordedPerson[]): Decision => ({
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
  const annas = (given: Partial<Segment>) => segmentOf({ person: ANNA, ...given })
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

const ofPerson = (mediaIdentity: string) => ({
  person: { mediaIdentity, participantId: null, role: 'panelist', displayName: 'P' } as const,
})

const NONE_SILENT = new Set<string | null>()
const ITS_OWN_SILENT = new Set<string | null>(['http://a.test'])
const ANOTHER_SILENT = new Set<string | null>(['http://b.test', null])

describe('segments without reports', () => {
  const HERE: ObservedRoom = {
    connections: [{ identity: 'EG_a', isSending: false }],
  }
  const EMPTY: ObservedRoom = { connections: [] }
  const UNASKED: ObservedRoom = { connections: undefined }
  const left = (sec: number) => ({ recorderGoneAt: ago(sec) })
  const ending = { endsAskedAt: ago(300) }
  const JUDGED = [{ do: 'overdue', action: 'judge' }]

  type Given = readonly [
    what: string,
    segment: Partial<Segment>,
    observed: ObservedRoom | undefined,
    settlements: object[],
  ]
  const TABLE: readonly Given[] = [
    ['a segment that is being written is left alone', {}, UNASKED, []],
    ['a recorder that just left may still report why', left(4), EMPTY, []],
    ['a recorder that left is dead', left(5), EMPTY, [{ do: 'recorder_is_dead' }]],
    ['it is there', left(5), HERE, [{ do: 'recorder_is_back', egressId: 'EG_a' }]],
    ['the connections were not read', left(5), UNASKED, []],
    ['asked to end, it has half a minute', { ...left(29), endsAskedAt: ago(40) }, EMPTY, []],
    ['asked to end too long ago', ending, UNASKED, [{ do: 'overdue', action: 'judge' }]],
    [
      'a segment of a dead recorder is not overdue as well',
      { ...ending, ...left(30) },
      EMPTY,
      [{ do: 'recorder_is_dead' }],
    ],
    [
      'a segment that does not begin',
      { status: 'starting', statusAt: ago(90) },
      UNASKED,
      [{ do: 'overdue', action: 'start_timeout' }],
    ],
    [
      'a segment that was given up is discarded',
      { status: 'complete', recordingId: null },
      UNASKED,
      [{ do: 'discard' }],
    ],
    ['a segment that is reported as lost is judged', IN_DOUBT, UNASKED, [{ do: 'judge_loss' }]],
    ['unseen, it is judged, too', IN_DOUBT, undefined, [{ do: 'judge_loss' }]],
    [
      'a segment of a deleted recording that is reported as lost is discarded',
      { ...IN_DOUBT, recordingId: null },
      UNASKED,
      [{ do: 'discard' }],
    ],
    ['unseen, a segment that may be written is left alone', {}, undefined, []],
    [
      'unseen, the storage may have all of a segment that should have ended',
      ending,
      undefined,
      [{ do: 'look_in_storage' }],
    ],
    ['unseen, for a day at most', { endsAskedAt: ago(86_400) }, undefined, JUDGED],
    ['unseen, one that ends, too', { status: 'ending', statusAt: ago(86_400) }, undefined, JUDGED],
    ['unseen, an answer is awaited', { status: 'requested', statusAt: ago(599) }, undefined, []],
    ['unseen, a beginning is awaited', { status: 'starting', statusAt: ago(599) }, undefined, []],
    [
      'unseen, a beginning is awaited for a limited time',
      { status: 'starting', statusAt: ago(601) },
      undefined,
      [{ do: 'overdue', action: 'start_timeout' }],
    ],
    [
      'unseen, a segment that another one continues is not awaited',
      { status: 'starting', statusAt: ago(91), endsAskedAt: ago(80), stalledAt: ago(80) },
      undefined,
      [{ do: 'overdue', action: 'start_timeout' }],
    ],
    [
      'unseen, but for a limited time',
      { status: 'requested', statusAt: ago(600) },
      undefined,
      [{ do: 'overdue', action: 'start_timeout' }],
    ],
    [
      'unseen, a segment that was given up is discarded',
      { status: 'failed', recordingId: null },
      undefined,
      [{ do: 'discard' }],
    ],
  ]

  const SENDING = {
    connections: [
      { identity: 'EG_a', isSending: false },
      { identity: 'p1', isSending: true },
    ],
  }
  const grown = (sec: number) => ({ grownAt: ago(sec) })
  const STALLED = [{ do: 'recorder_stands_still' }]
  const STALLS: readonly Given[] = [
    ['a recorder that has just written', grown(14), SENDING, []],
    ['a recorder that writes nothing although people send', grown(15), SENDING, STALLED],
    ['a room in which nobody sends', grown(60), HERE, []],
    ['a recorder without a report of its bytes', { grownAt: null }, SENDING, []],
    ['one that was asked to end', { ...grown(60), endsAskedAt: ago(1) }, SENDING, []],
    ['a segment of a person who sends', { ...grown(15), ...ofPerson('p1') }, SENDING, STALLED],
    ['a segment of a person who does not send', { ...grown(15), ...ofPerson('p2') }, SENDING, []],
    ['one that left, too', { ...grown(15), ...left(5) }, EMPTY, [{ do: 'recorder_is_dead' }]],
    ['a recorder that is back but writes nothing', { ...grown(15), ...left(5) }, SENDING, STALLED],
  ]

  test.each(STALLS)('%s', (...[, given, room, settlements]) => {
    for (const silent of [NONE_SILENT, ITS_OWN_SILENT]) {
      const found = settlementsOf([segmentOf(given)], { room, silent }, NOW)
      expect(found).toMatchObject(settlements)
      expect(found).toHaveLength(settlements.length)
    }
  })

  test.each(TABLE)('%s', (...[, given, observed, settlements]) => {
    const silent = observed === undefined ? ITS_OWN_SILENT : NONE_SILENT
    const observation = { room: observed, silent }
    const found = settlementsOf([segmentOf(given)], observation, NOW)
    expect(found).toHaveLength(settlements.length)
    expect(found).toMatchObject(settlements)
  })

  test('count as dead if their recorder says that it does not know the egress, whatever its connection seems to be', () => {
    const forgotten = new Set(['EG_a'])
    for (const room of [UNASKED, undefined]) {
      const found = settlementsOf([segmentOf({})], { room, silent: new Set(), forgotten }, NOW)
      expect(found).toMatchObject([{ do: 'recorder_is_dead', isCertain: true }])
    }
    const others = [segmentOf({ egressId: 'EG_b' }), segmentOf({ egressId: null })]
    expect(settlementsOf(others, { room: undefined, silent: new Set(), forgotten }, NOW)).toEqual(
      [],
    )
  })

  test('do not depend on another recorder that is silent', () => {
    const segments = [
      segmentOf(ending),
      segmentOf({ ...ending, id: 'b', egressId: 'EG_b', recorder: 'http://b.test' }),
    ]
    const found = settlementsOf(segments, { room: UNASKED, silent: ANOTHER_SILENT }, NOW)
    expect(found.map((each) => each.do)).toEqual(['overdue', 'look_in_storage'])
  })
})

describe('the provider is asked', () => {
  const STOP: Command = { do: 'stop', egressId: 'EG_a' }
  const TABLE: readonly (readonly [string, Partial<Segment>, Command | undefined])[] = [
    ['to start a requested segment', { status: 'requested', egressId: null }, { do: 'start' }],
    ['nothing for a running segment', {}, undefined],
    ['to stop a segment that shall end', { endsAskedAt: NOW }, STOP],
    ['to stop one that shall end before it began', { status: 'starting', endsAskedAt: NOW }, STOP],
    ['nothing for a segment that is ending', { status: 'ending', endsAskedAt: NOW }, undefined],
    ['nothing for an ended segment', { status: 'complete', endsAskedAt: NOW }, undefined],
    [
      'nothing for a segment that never began',
      { status: 'requested', egressId: null, endsAskedAt: NOW },
      undefined,
    ],
  ]

  test.each(TABLE)('%s', (_, given, command) => {
    expect(commandOf(segmentOf(given))).toEqual(command)
  })
})

describe('the room is checked again', () => {
  const TABLE: readonly (readonly [
    what: string,
    segments: Partial<Segment>[],
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
      inSec(3),
    ],
    ['at the earliest of these times', [{}], inSec(4), inSec(4)],
    ['not in the past', [{}], ago(4), inSec(10)],
  ]

  test.each(TABLE)('%s', (...[, segments, lookAt, expected]) => {
    const unfinished = segments.map((given) => segmentOf(given))
    expect(nextLookAt(unfinished, { lookAt, now: NOW, everySec: 10 })).toEqual(expected)
  })
})
