import { readFile } from 'node:fs/promises'
import * as fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import type { Egress, EgressStatus } from '../../../platform/ports/egress.ts'
import { type GivenSegment, SEGMENT_AT, segmentOf } from '../../../testing/segments.ts'
import { decide, type Observation } from './decide-segment.ts'
import { SEGMENT_LIMITS } from './segment-limits.ts'
import { SEGMENT_TRANSITIONS } from './segment-transitions.ts'
import { isFinal, isLost, type Segment } from './segment.ts'

const NOW = SEGMENT_AT
const FILE = { sizeBytes: 1000, durationSec: 60 }
const after = (sec: number) => new Date(NOW.getTime() + sec * 1000)
const ago = (sec: number) => after(-sec)

function reportOf(status: EgressStatus, change: Partial<Egress> = {}): Observation {
  const egress = {
    egressId: 'EG_a',
    mediaRoom: 'room',
    status,
    outputPath: null,
    startedAt: status === 'starting' ? null : ago(60),
    endedAt: null,
    updatedAt: null,
    file: null,
    writtenBytes: null,
    lacks: [],
    hasUploadFailed: false,
    hasRecorderFailed: false,
    ...change,
  }
  return { of: 'egress', egress }
}

const SILENT = { connections: [], silent: new Set<string | null>() }

const decided = (given: GivenSegment, observation: Observation) =>
  decide(segmentOf(given), observation, NOW)

/** The report of this status, with a file where there is one. */
function told(status: EgressStatus): Observation {
  const isKept = status === 'complete' || status === 'limit_reached'
  return reportOf(status, isKept ? { file: FILE } : {})
}

function reasonOf(segment: Segment): string | undefined {
  return isLost(segment) ? segment.failureReason : undefined
}

function isLateFile(before: Segment, { status }: Segment): boolean {
  return isLost(before) && before.isOverdue && status === 'complete'
}

const cellsOf = (line: string) => line.split('|').map((each) => each.trim())

describe("the provider's report about an egress that is being written, with a file and without", () => {
  const BROKEN = { sign: 'breaks', to: { status: 'ending', doubt: 'provider_failed' } }
  const KEPT = { sign: 'delivers', to: { status: 'complete', ...FILE } }
  const TABLE: readonly (readonly [EgressStatus, withFile: object, without: object])[] = [
    [
      'ending',
      { to: { status: 'ending', doubt: null } },
      { to: { status: 'ending', doubt: null } },
    ],
    ['complete', KEPT, { sign: 'delivers', to: { status: 'complete', sizeBytes: 0 } }],
    ['limit_reached', { ...KEPT, hitLimit: true }, BROKEN],
    ['failed', BROKEN, BROKEN],
    [
      'aborted',
      { to: { status: 'ending', doubt: 'provider_aborted' } },
      { to: { status: 'ending', doubt: 'provider_aborted' } },
    ],
  ]

  test.each(TABLE)('%s', (status, withFile, without) => {
    expect(decided({}, reportOf(status, { file: FILE }))).toMatchObject(withFile)
    expect(decided({}, reportOf(status))).toMatchObject(without)
  })

  test.each(['failed', 'complete', 'limit_reached'] as const)(
    '%s, because the file could not be delivered to the storage',
    (status) => {
      const found = decided({}, reportOf(status, { hasUploadFailed: true }))
      expect(found?.to).toMatchObject({ status: 'ending', doubt: 'upload_failed' })
    },
  )

  test('as starting or active begins a requested segment, with its egress', () => {
    const recorder = { recorder: 'http://b.test', clockOffsetMs: 7 }
    for (const status of ['starting', 'active'] as const) {
      const { egress } = reportOf(status) as Extract<Observation, { of: 'egress' }>
      const observation = { of: 'egress', egress: { ...egress, ...recorder } } as const
      const found = decided({ status: 'requested', recorder: null }, observation)
      expect(found?.to).toMatchObject({ status, egressId: 'EG_a', ...recorder })
    }
  })

  test("is read by the service's clock", () => {
    const found = decided({ clockOffsetMs: 5000 }, reportOf('active', { startedAt: ago(52) }))
    expect(found?.to).toMatchObject({ startedAt: ago(57) })
    const stored = { of: 'storage', found: { file: FILE, startedAt: ago(52) } } as const
    const doubted = { status: 'ending', doubt: 'provider_failed', startedAt: null } as const
    const kept = decided({ ...doubted, clockOffsetMs: 5000 }, { ...stored, seen: SILENT })
    expect(kept?.to).toMatchObject({ status: 'complete', startedAt: ago(57) })
  })

  test('corrects the beginning of an active segment', () => {
    const found = decided({}, reportOf('active', { startedAt: ago(57) }))
    expect(found?.to).toMatchObject({ status: 'active', startedAt: ago(57), statusAt: ago(60) })
  })
})

test('a delivered segment that began in time is kept, although its report names a later start', () => {
  const given = { status: 'ending', startedAt: ago(60), endsAskedAt: ago(58) } as const
  const late = { startedAt: ago(50), file: FILE }
  expect(decided(given, reportOf('complete', late))?.to.status).toBe('complete')
  expect(decided({ ...given, startedAt: null }, reportOf('complete', late))?.to.status).toBe(
    'aborted',
  )
})

describe('a report that a segment was lost', () => {
  const began = { startedAt: ago(60) }
  const TABLE: readonly (readonly [
    what: string,
    GivenSegment,
    'failed' | 'aborted',
    status: Segment['status'] | undefined,
  ])[] = [
    ['leaves one that is being written to the storage', began, 'failed', 'ending'],
    [
      'leaves one that is ending to the storage',
      { ...began, status: 'ending' },
      'aborted',
      'ending',
    ],
    [
      'leaves one whose beginning was not seen to the storage',
      { status: 'starting' },
      'failed',
      'ending',
    ],
    ['loses one that was aborted before it began', { status: 'starting' }, 'aborted', 'aborted'],
    ['changes nothing in one that is complete', { status: 'complete' }, 'failed', undefined],
    ['loses one without a recording', { ...began, recordingId: null }, 'failed', 'failed'],
    [
      'loses one that began after it was asked to end',
      { startedAt: ago(50), endsAskedAt: ago(55) },
      'failed',
      'failed',
    ],
    [
      'does not change the reason that was named first',
      { status: 'ending', doubt: 'upload_failed' },
      'failed',
      undefined,
    ],
  ]

  test.each(TABLE)('%s', (...[, given, reported, status]) => {
    expect(decided(given, reportOf(reported))?.to.status).toBe(status)
  })
})

describe('an answer of the storage', () => {
  const seen = {
    connections: [],
    silent: new Set<string | null>(),
  }
  const answer = (found: { file: typeof FILE } | null | undefined): Observation => ({
    of: 'storage',
    seen,
    found,
  })
  const DEAD = { recorderGoneAt: ago(5) }
  const LATE = { startedAt: ago(400), endsAskedAt: ago(300) }
  const TABLE: readonly (readonly [
    what: string,
    GivenSegment,
    { file: typeof FILE } | null | undefined,
    object | undefined,
  ])[] = [
    ['counts only when it was asked', {}, { file: FILE }, undefined],
    [
      'completes a segment whose recorder is lost, and interrupts its recording',
      DEAD,
      { file: FILE },
      { to: { status: 'complete' }, interrupts: true },
    ],
    [
      'loses it if there is nothing',
      DEAD,
      null,
      { to: { status: 'failed', isOverdue: true }, interrupts: true },
    ],
    [
      'is not awaited for the interruption',
      DEAD,
      undefined,
      { to: { status: 'ending', doubt: 'provider_failed' }, interrupts: true },
    ],
    ['completes a segment that should have ended', LATE, { file: FILE }, { to: { ...FILE } }],
    ['loses a segment that should have ended', LATE, null, { to: { status: 'failed' } }],
    ['is awaited for a segment that should have ended', LATE, undefined, undefined],
    [
      'decides about a reported loss, for its reason',
      { status: 'ending', doubt: 'upload_failed' },
      null,
      { to: { status: 'failed', failureReason: 'upload_failed', isOverdue: true } },
    ],
  ]

  test.each(TABLE)('%s', (...[, given, found, expected]) => {
    const transition = decided(given, answer(found))
    expect([transition]).toMatchObject([expected])
  })
})

describe('the end of a segment', () => {
  /** Reports of one egress, in the order of its life. */
  const LIVES = [
    ['starting', 'active', 'ending', 'complete'],
    ['starting', 'active', 'ending', 'limit_reached'],
    ['starting', 'active', 'failed'],
    ['starting', 'failed'],
    ['starting', 'aborted'],
    ['starting', 'active', 'ending', 'failed'],
  ] as const satisfies readonly (readonly EgressStatus[])[]

  /** Applies observations in this order. The storage has nothing beyond what is reported. */
  function play(observations: readonly Observation[]): Segment {
    let segment = segmentOf({ status: 'starting' })
    const ask: Observation = { of: 'storage', seen: SILENT, found: null }
    for (const observation of [...observations, ask]) {
      segment = decide(segment, observation, NOW)?.to ?? segment
    }
    return segment
  }

  const life = fc.constantFrom(...LIVES)
  const reports = life.chain((statuses) =>
    fc.record({
      statuses: fc.constant(statuses),
      // Any order, and any number of repeats. The last report arrives at least once.
      heard: fc.array(fc.constantFrom(...statuses), { maxLength: 8 }).chain((some) =>
        fc.shuffledSubarray([...some, statuses.at(-1) ?? 'failed'], {
          minLength: some.length + 1,
        }),
      ),
    }),
  )

  test('is the same in whatever order its reports arrive, and however often', () => {
    fc.assert(
      fc.property(reports, ({ statuses, heard }) => {
        const inOrder = play(statuses.map((status) => told(status)))
        const asHeard = play(heard.map((status) => told(status)))
        expect(isFinal(inOrder)).toBe(true)
        expect(asHeard.status).toBe(inOrder.status)
        expect(reasonOf(asHeard)).toBe(reasonOf(inOrder))
      }),
    )
  })

  const anyObservation: fc.Arbitrary<Observation> = fc.oneof(
    fc
      .tuple(
        fc.constantFrom<EgressStatus>(...LIVES.flat(), 'aborted'),
        fc.constantFrom(FILE, null),
        fc.boolean(),
      )
      .map(([status, file, hasRecorderFailed]) => reportOf(status, { file, hasRecorderFailed })),
    fc
      .constantFrom('there' as const, 'gone' as const, 'absent' as const)
      .map((is): Observation => ({ of: 'recorder', is, at: NOW })),
    fc
      .nat()
      .map((writtenBytes): Observation => ({ of: 'life', report: { writtenBytes, lacks: [] } })),
    fc
      .constantFrom('unreachable' as const, 'silent' as const)
      .map((why): Observation => ({ of: 'replaceable', why })),
    fc.constant<Observation>({ of: 'time', seen: SILENT }),
    fc
      .constantFrom({ file: FILE }, null, undefined)
      .map((found): Observation => ({ of: 'storage', seen: SILENT, found })),
  )
  const LAST = [
    { status: 'complete' },
    { status: 'failed' },
    { status: 'aborted' },
    { status: 'failed', isOverdue: true },
  ] as const

  test('never changes, except by a late file of one whose content was awaited', () => {
    fc.assert(
      fc.property(fc.constantFrom(...LAST), fc.array(anyObservation), (given, observations) => {
        let segment = segmentOf(given)
        for (const observation of observations) {
          const next = decide(segment, observation, NOW)?.to ?? segment
          expect(next.status === segment.status || isLateFile(segment, next)).toBe(true)
          segment = next
        }
      }),
    )
  })

  test('is kept as lost if its file turns out to be unusable', () => {
    const found = decided({ status: 'complete' }, { of: 'file', lostBecause: 'storage_missing' })
    expect(found?.to).toMatchObject({ status: 'failed', failureReason: 'storage_missing' })
  })
})

describe('docs/lifecycles.md', () => {
  test('has the transitions of a segment', async () => {
    const rows = await readRows('Sign')
    expect(rows.map(([sign, , from, to]) => [sign, from, to])).toEqual(
      Object.entries(SEGMENT_TRANSITIONS).map(([sign, { from, to }]) => [
        sign,
        from.join(', '),
        to,
      ]),
    )
  })

  test('has the limits of a segment', async () => {
    const rows = await readRows('State')
    expect(rows.map((row) => row.slice(0, 5))).toEqual(
      SEGMENT_LIMITS.map(({ state, when, limitMs, blindMs, action }) => [
        state,
        when,
        inWords(limitMs),
        blindMs === undefined ? '—' : inWords(blindMs),
        `\`${action}\``,
      ]),
    )
  })
})

function inWords(ms: number): string {
  const min = ms / 60_000
  if (ms === 0) return 'none'
  if (min % 60 === 0) return `${min / 60} h`
  return min > 1.5 ? `${min} min` : `${ms / 1000} s`
}

/** The rows of the table in the section about segments whose first column has this name. */
async function readRows(first: string): Promise<string[][]> {
  const docs = await readFile(new URL('../../../../../docs/lifecycles.md', import.meta.url), 'utf8')
  const section = docs.split('\n### ').find((each) => each.startsWith('Segment\n')) ?? ''
  const lines = section.split('\n')
  const head = lines.findIndex((line) => cellsOf(line)[1] === first)
  const rows = lines.slice(head + 2)
  return rows.slice(0, rows.indexOf('')).map((line) => cellsOf(line).slice(1, -1))
}
