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
    ['follows its own pace from 5 % on', [HALF], null, [['a', 100]]],
    ['follows the pace of earlier ones while its own is unknown', [COMPOSING], 0.1, [['a', 260]]],
    ['follows that pace while it waits', [WAITING], 0.1, [['a', 360]]],
    [
      'waits for the earlier ones',
      [HALF, { ...WAITING, recordingId: 'b' }, { ...WAITING, recordingId: 'c', lengthSec: 600 }],
      0.1,
      [
        ['a', 100],
        ['b', 460],
        ['c', 520],
      ],
    ],
    [
      'waits for half of them if two are composed at a time',
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
      'is now if composing takes longer than its own pace suggested, as after its worker was killed',
      [{ ...HALF, composingSince: after(-300), composedAt: after(-200) }],
      null,
      [['a', 0]],
    ],
    ['is now if it takes longer than earlier ones', [COMPOSING], 0.001, [['a', 0]]],
  ])('%s', (...[, queue, secPerSec, estimates]) => {
    expect([...estimatesOf(queue, { secPerSec, now: NOW })]).toEqual(
      estimates.map(([id, sec]) => [id, after(sec)]),
    )
  })
})
