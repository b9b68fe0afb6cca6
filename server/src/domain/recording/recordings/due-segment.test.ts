import { describe, expect, test } from 'vitest'
import { type GivenSegment, SEGMENT_AT, segmentOf } from '../../../testing/segments.ts'
import { type Due, dueOf, type SeenRoom } from './due-segment.ts'

const NOW = SEGMENT_AT
const ago = (sec: number) => new Date(NOW.getTime() - sec * 1000)
const IN_DOUBT = { status: 'ending', doubt: 'upload_failed' } as const

const ofPerson = (mediaIdentity: string) => ({
  person: { mediaIdentity, participantId: null, role: 'panelist', displayName: 'P' } as const,
})

const NONE_SILENT = new Set<string | null>()
const ITS_OWN_SILENT = new Set<string | null>(['http://a.test'])
const ANOTHER_SILENT = new Set<string | null>(['http://b.test', null])

describe('segments without a report of their provider', () => {
  const HERE: Pick<SeenRoom, 'connections'> = {
    connections: [{ identity: 'EG_a', isSending: false }],
  }
  const EMPTY: Pick<SeenRoom, 'connections'> = { connections: [] }
  const UNASKED: Pick<SeenRoom, 'connections'> = { connections: undefined }
  const left = (sec: number) => ({ recorderGoneAt: ago(sec) })
  const ending = { endsAskedAt: ago(300) }
  const JUDGED: Due = { do: 'ask_storage', why: 'limit' }

  const DEAD: Due = { do: 'ask_storage', why: 'recorder_lost' }
  const TOO_LATE: Due = { do: 'lose', why: 'start_timeout' }
  const DOUBTED: Due = { do: 'ask_storage', why: 'doubt' }

  type Given = readonly [
    what: string,
    segment: GivenSegment,
    observed: Pick<SeenRoom, 'connections'> | undefined,
    due: Due | undefined,
  ]
  const TABLE: readonly Given[] = [
    ['a segment that is being written is left alone', {}, UNASKED, undefined],
    ['a recorder that just left may still report why', left(4), EMPTY, undefined],
    ['a recorder that left is dead', left(5), EMPTY, DEAD],
    ['it is there', left(5), HERE, { do: 'recorder_is_back' }],
    ['the connections were not read', left(5), UNASKED, undefined],
    ['asked to end, it has half a minute', { ...left(29), endsAskedAt: ago(40) }, EMPTY, undefined],
    ['asked to end too long ago', ending, UNASKED, JUDGED],
    [
      'a segment of a dead recorder is not overdue as well',
      { ...ending, ...left(30) },
      EMPTY,
      DEAD,
    ],
    ['a segment that does not begin', { status: 'starting', statusAt: ago(90) }, UNASKED, TOO_LATE],
    [
      'a segment that was given up is discarded',
      { status: 'complete', recordingId: null },
      UNASKED,
      { do: 'discard' },
    ],
    ['a segment that is reported as lost is judged', IN_DOUBT, UNASKED, DOUBTED],
    ['unseen, it is judged, too', IN_DOUBT, undefined, DOUBTED],
    [
      'a segment of a deleted recording that is reported as lost is discarded',
      { ...IN_DOUBT, recordingId: null },
      UNASKED,
      { do: 'discard' },
    ],
    ['unseen, a segment that may be written is left alone', {}, undefined, undefined],
    [
      'unseen, the storage may have all of a segment that should have ended',
      ending,
      undefined,
      { do: 'ask_storage', why: 'peek' },
    ],
    ['unseen, for a day at most', { endsAskedAt: ago(86_400) }, undefined, JUDGED],
    ['unseen, one that ends, too', { status: 'ending', statusAt: ago(86_400) }, undefined, JUDGED],
    [
      'unseen, an answer is awaited',
      { status: 'requested', statusAt: ago(599) },
      undefined,
      undefined,
    ],
    [
      'unseen, a beginning is awaited',
      { status: 'starting', statusAt: ago(599) },
      undefined,
      undefined,
    ],
    [
      'unseen, a beginning is awaited for a limited time',
      { status: 'starting', statusAt: ago(601) },
      undefined,
      TOO_LATE,
    ],
    [
      'unseen, a segment that another one continues is not awaited',
      { status: 'starting', statusAt: ago(91), endsAskedAt: ago(80), stalledAt: ago(80) },
      undefined,
      TOO_LATE,
    ],
    [
      'unseen, but for a limited time',
      { status: 'requested', statusAt: ago(600) },
      undefined,
      TOO_LATE,
    ],
    [
      'unseen, a segment that was given up is discarded',
      { status: 'failed', recordingId: null },
      undefined,
      { do: 'discard' },
    ],
  ]

  const SENDING = {
    connections: [
      { identity: 'EG_a', isSending: false },
      { identity: 'p1', isSending: true },
    ],
  }
  const grown = (sec: number) => ({ grownAt: ago(sec) })
  const STALLED: Due = { do: 'replace' }
  const STALLS: readonly Given[] = [
    ['a recorder that has just written', grown(14), SENDING, undefined],
    ['a recorder that writes nothing although people send', grown(15), SENDING, STALLED],
    ['a room in which nobody sends', grown(60), HERE, undefined],
    ['a recorder without a report of its bytes', { grownAt: null }, SENDING, undefined],
    ['one that was asked to end', { ...grown(60), endsAskedAt: ago(1) }, SENDING, undefined],
    ['a segment of a person who sends', { ...grown(15), ...ofPerson('p1') }, SENDING, STALLED],
    [
      'a segment of a person who does not send',
      { ...grown(15), ...ofPerson('p2') },
      SENDING,
      undefined,
    ],
    ['one that left, too', { ...grown(15), ...left(5) }, EMPTY, DEAD],
    ['a recorder that is back but writes nothing', { ...grown(15), ...left(5) }, SENDING, STALLED],
  ]

  test.each(STALLS)('%s', (...[, given, room, due]) => {
    for (const silent of [NONE_SILENT, ITS_OWN_SILENT]) {
      expect(dueOf(segmentOf(given), { connections: room?.connections, silent }, NOW)).toEqual(due)
    }
  })

  test.each(TABLE)('%s', (...[, given, room, due]) => {
    const silent = room === undefined ? ITS_OWN_SILENT : NONE_SILENT
    expect(dueOf(segmentOf(given), { connections: room?.connections, silent }, NOW)).toEqual(due)
  })

  test('count as dead if their recorder says that it does not know the egress, whatever its connection seems to be', () => {
    const forgotten = new Set(['EG_a'])
    const seen = { ...UNASKED, silent: NONE_SILENT, forgotten }
    expect(dueOf(segmentOf({}), seen, NOW)).toEqual(DEAD)
    expect(dueOf(segmentOf({ egressId: 'EG_b' }), seen, NOW)).toBeUndefined()
    expect(dueOf(segmentOf({ status: 'requested' }), seen, NOW)).toBeUndefined()
  })

  test('do not depend on another recorder that is silent', () => {
    const seen = { ...UNASKED, silent: ANOTHER_SILENT }
    expect(dueOf(segmentOf(ending), seen, NOW)).toEqual(JUDGED)
    const other = segmentOf({ ...ending, egressId: 'EG_b', recorder: 'http://b.test' })
    expect(dueOf(other, seen, NOW)).toEqual({ do: 'ask_storage', why: 'peek' })
  })
})
