import { S3ServiceException } from '@aws-sdk/client-s3'
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { failingFor, isRefusal } from './keep-trying.ts'

const refusal = answered(403)
const outage = answered(503)

function answered(httpStatusCode: number): S3ServiceException {
  return new S3ServiceException({ name: 'x', $fault: 'client', $metadata: { httpStatusCode } })
}

beforeEach(() => void vi.useFakeTimers({ toFake: ['performance'] }))
afterEach(() => void vi.useRealTimers())

/** Verdicts on failures that come half a minute after each other. */
function judge(isFinal: (error: unknown) => boolean, failures: readonly unknown[]): boolean[] {
  return failures.map((failure) => {
    const isOver = isFinal(failure)
    vi.advanceTimersByTime(30_000)
    return isOver
  })
}

describe('with a minute for what fails', () => {
  test('a failure is final when there were only failures for that long', () => {
    expect(judge(failingFor(60_000), [outage, refusal, outage])).toEqual([false, false, true])
  })

  test('a refusal is final when there were only refusals for that long', () => {
    const failures = [refusal, refusal, outage, refusal, refusal, refusal]
    const judged = judge(failingFor(60_000, isRefusal), failures)
    expect(judged).toEqual([false, false, false, false, false, true])
  })
})

test.each([
  [400, true],
  [403, true],
  [404, true],
  [408, false],
  [429, false],
  [500, false],
  [503, false],
])('an answer of %d is a refusal: %s', (status, expected) => {
  expect(isRefusal(answered(status))).toBe(expected)
})
