import { describe, expect, test } from 'vitest'
import { silenceLimitSec } from './engines/silence-limit.ts'
import { consequenceOf, pollPauseSec } from './retries.ts'
import type { Transcription } from './transcription.ts'

const BUSY = { isTransient: true, reason: 'vendor_unavailable' } as const

/** The pauses after consecutive transient failures, and the end. */
function failAgain(status: Transcription['status'], retryAfterSec = 0): unknown[] {
  const seen: unknown[] = []
  let locked = { status, failures: 0 }
  for (;;) {
    const then = consequenceOf(locked, { ...BUSY, retryAfterSec })
    if ('failureReason' in then) return [...seen, then.to]
    seen.push(then.pauseSec)
    locked = { status: then.to, failures: then.failures }
  }
}

describe('a transient failure', () => {
  // contract: States of a Transcription › Transient failures while submitting: 2 s, 10 s, 60 s,
  //   then request_error
  test('before the engine accepted it is retried three times, after 2 s, 10 s and 60 s', () => {
    expect(failAgain('sending_request')).toEqual([2, 10, 60, 'request_error'])
  })

  // contract: States of a Transcription › Retrying: resubmitted after 30 s, 2 min, 10 min, then
  //   error
  test.each(['processing', 'retrying'] as const)(
    'in %s is retried three times, after 30 s, 2 min and 10 min',
    (status) => {
      expect(failAgain(status)).toEqual([30, 120, 600, 'error'])
    },
  )

  test.each([
    [1, [2, 10, 60]],
    [30, [30, 30, 60]],
    [86_400, [3600, 3600, 3600]],
  ])(
    'of an engine that asks for a pause of %i s waits that long, but at most an hour',
    (...row) => {
      const [retryAfterSec, pauses] = row
      expect(failAgain('sending_request', retryAfterSec)).toEqual([...pauses, 'request_error'])
    },
  )
})

describe('a permanent failure', () => {
  test.each([
    ['sending_request', 'vendor_rejected', 'request_error'],
    ['processing', 'vendor_rejected', 'error'],
    ['retrying', 'vendor_rejected', 'error'],
    // Even an invalid answer shows that the engine had accepted it.
    ['sending_request', 'result_invalid', 'error'],
  ] as const)('in %s with %s ends as %s', (status, reason, to) => {
    const then = consequenceOf({ status, failures: 0 }, { isTransient: false, reason })
    expect(then).toEqual({ to, failureReason: reason })
  })
})

test.each([
  [60, 1800],
  [450, 1800],
  [5400, 21_600],
])('an engine may make no progress on %i s of sound for %i s', (durationSec, limitSec) => {
  expect(silenceLimitSec(durationSec)).toBe(limitSec)
})

test.each([
  [0, 15],
  [150, 30],
  [450, 60],
  [9000, 60],
])('an engine that has worked for %i s is polled again after %i s', (elapsedSec, pauseSec) => {
  expect(pollPauseSec(elapsedSec)).toBe(pauseSec)
})
