import { describe, expect, test } from 'vitest'
import { estimatesOf, type QueuedComposition } from './estimates.ts'

const NOW = new Date('2026-06-01T10:00:00.000Z')
const after = (sec: number) => new Date(NOW.getTime() + sec * 1000)

/** A recording of an hour that waits. */
const WAITING: QueuedComposition = {
  recordingId: 'a',
  lengthSec: 3600,
  isComposing: false,
  composingSince: null,
  composedPercent: null,
  composedAt: null,
}
const COMPOSING = { ...WAITING, isComposing: true, composingSince: after(-100) }
const HALF = { ...COMPOSING, composedPercent: 50, composedAt: NOW }

describe('the estimated time of a file', () => {
  test.each<[string, readonly QueuedComposition[], number | null, [string, number][]]>([
    ['by its own pace, from 5 % on', [HALF], null, [['a', 100]]],
    ['by the pace of former ones while its own does not show', [COMPOSING], 0.1, [['a', 260]]],
    ['by that pace while it waits', [WAITING], 0.1, [['a', 360]]],
    [
      'behind what is ahead of it',
      [HALF, { ...WAITING, recordingId: 'b' }, { ...WAITING, recordingId: 'c', lengthSec: 600 }],
      0.1,
      [
        ['a', 100],
        ['b', 460],
        ['c', 520],
      ],
    ],
    [
      'behind half of it where two are composed at a time',
      [HALF, { ...HALF, recordingId: 'b' }, { ...WAITING, recordingId: 'c' }],
      0.1,
      [
        ['a', 100],
        ['b', 100],
        ['c', 460],
      ],
    ],
    ['at no known time before any pace was measured', [WAITING], null, []],
    [
      'now, if it takes longer than its own pace has said, as after its worker was killed',
      [{ ...HALF, composingSince: after(-300), composedAt: after(-200) }],
      null,
      [['a', 0]],
    ],
    ['now, if it takes longer than former ones did', [COMPOSING], 0.001, [['a', 0]]],
  ])('%s', (...[, queue, secPerSec, estimates]) => {
    expect([...estimatesOf(queue, { secPerSec, now: NOW })]).toEqual(
      estimates.map(([id, sec]) => [id, after(sec)]),
    )
  })
})
