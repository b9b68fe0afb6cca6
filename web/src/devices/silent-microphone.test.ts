import { describe, expect, test } from 'vitest'
import { afterLevel, isSilent, SOUNDING } from './silent-microphone.ts'

const MAX_MS = 4_000
/** Less than the quietest sample of 16 bits. */
const FAINT = 1e-6

type Part = readonly [level: number | undefined, forMs: number]

/** Measures ten times a second; answers if the microphone counts as silent at the end. */
function measure(parts: readonly Part[]): boolean {
  let watch = SOUNDING
  let atMs = 1_000
  for (const [level, forMs] of parts) {
    for (const end = atMs + forMs; atMs < end; atMs += 100) watch = afterLevel(watch, level, atMs)
  }
  return isSilent(watch, MAX_MS, atMs)
}

describe('a microphone', () => {
  test.each<[string, readonly Part[], boolean]>([
    ['sends no sound after some seconds of zeros', [[0, 4_000]], true],
    ['is not judged before that', [[0, 3_900]], false],
    ['is not silent in a quiet room', [[FAINT, 60_000]], false],
    [
      'is heard again at the first sound',
      [
        [0, 60_000],
        [FAINT, 100],
      ],
      false,
    ],
    [
      'is judged anew after a sound',
      [
        [0, 3_000],
        [FAINT, 100],
        [0, 3_000],
      ],
      false,
    ],
    ['is not judged while nothing is measured', [[undefined, 60_000]], false],
    [
      'is not judged by the time before a pause of measuring',
      [
        [0, 3_000],
        [undefined, 100],
        [0, 3_000],
      ],
      false,
    ],
  ])('%s', (_, parts, expected) => {
    expect(measure(parts)).toBe(expected)
  })
})
