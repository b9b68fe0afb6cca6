import { describe, expect, test } from 'vitest'
import { heard, SILENT, SPEECH_LEVEL } from './speaking-while-muted.ts'

const LOUD = SPEECH_LEVEL * 2

/** Measures ten times a second; returns the state at the end. */
function listen(parts: readonly (readonly [level: number, forMs: number])[]) {
  let watch = SILENT
  let atMs = 1_000
  for (const [level, forMs] of parts) {
    for (const end = atMs + forMs; atMs < end; atMs += 100) watch = heard(watch, level, atMs)
  }
  return watch
}

describe('the hint about speaking while muted', () => {
  test.each<[string, (readonly [number, number])[], boolean]>([
    ['stays away in silence', [[0, 5_000]], false],
    [
      'stays away for a cough',
      [
        [LOUD, 300],
        [0, 2_000],
      ],
      false,
    ],
    [
      'stays away for separate bumps',
      [
        [LOUD, 100],
        [0, 900],
        [LOUD, 100],
        [0, 900],
        [LOUD, 100],
      ],
      false,
    ],
    ['comes with a sentence', [[LOUD, 1_000]], true],
    [
      'comes with words that have short pauses between them',
      [
        [LOUD, 300],
        [0, 200],
        [LOUD, 300],
      ],
      true,
    ],
    [
      'stays for a breath',
      [
        [LOUD, 1_000],
        [0, 2_000],
      ],
      true,
    ],
    [
      'goes some seconds after the last word',
      [
        [LOUD, 1_000],
        [0, 5_000],
      ],
      false,
    ],
  ])('%s', (_, parts, isShown) => {
    expect(listen(parts).isHintShown).toBe(isShown)
  })
})
