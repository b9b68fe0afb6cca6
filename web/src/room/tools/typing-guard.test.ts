import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { createTypingGuard } from './typing-guard.ts'

beforeEach(() => void vi.useFakeTimers())
afterEach(() => void vi.useRealTimers())

/** Presses keys, each this many milliseconds after the one before, and returns those that acted. */
function acted(presses: readonly (readonly [afterMs: number, key: string])[]): string[] {
  const guard = createTypingGuard()
  const keys: string[] = []
  for (const [afterMs, key] of presses) {
    vi.advanceTimersByTime(afterMs)
    guard.press(() => keys.push(key))
  }
  vi.advanceTimersByTime(1_000)
  return keys
}

describe('a letter', () => {
  test.each<[string, [number, string][], string[]]>([
    ['alone acts', [[0, 'm']], ['m']],
    [
      'acts again after a pause',
      [
        [0, 'm'],
        [300, 'm'],
      ],
      ['m', 'm'],
    ],
    [
      'of a word does nothing',
      [
        [0, 'm'],
        [80, 'e'],
        [120, 'm'],
        [299, 'o'],
      ],
      [],
    ],
    [
      'after a word acts',
      [
        [0, 'm'],
        [80, 'e'],
        [301, 'h'],
      ],
      ['h'],
    ],
  ])('%s', (_name, presses, expected) => {
    expect(acted(presses)).toEqual(expected)
  })
})
