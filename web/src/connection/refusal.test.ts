import type { ErrorCode } from '@interview-room/contract/errors.ts'
import { describe, expect, test } from 'vitest'
import { refusalOf, wordsOf } from './refusal.ts'

const serverNow = new Date('2026-06-01T06:00:00Z')
const localNowMs = serverNow.getTime() + 90_000
const times = {
  opensAt: null,
  closesAt: null,
  challenge: null,
  isCancelled: false,
  serverNow,
  localNowMs,
}
const closesAt = new Date('2026-06-01T08:10:00Z')

describe('the page of a refusal', () => {
  test.each<[ErrorCode, string]>([
    ['UNAUTHORIZED', 'bad-link'],
    ['NOT_FOUND', 'bad-link'],
    ['UNKNOWN_ROLE', 'bad-link'],
    ['SESSION_RELEASED', 'closed'],
    ['PARTICIPANT_BANNED', 'banned'],
    ['SERVICE_UNAVAILABLE', 'unavailable'],
    ['INTERNAL_ERROR', 'unavailable'],
    ['RATE_LIMIT_EXCEEDED', 'unavailable'],
  ])('for %s is %s', (code, page) => {
    expect(refusalOf(code, times).page).toBe(page)
  })

  test('for a ticket replaced by a newer entry is elsewhere', () => {
    const challenge = 'Bearer error="invalid_token", error_description="opened elsewhere"'
    expect(refusalOf('UNAUTHORIZED', { ...times, challenge }).page).toBe('elsewhere')
  })

  test('for a cancelled session differs from that of an interview that took place', () => {
    expect(refusalOf('SESSION_RELEASED', { ...times, isCancelled: true }).page).toBe('cancelled')
  })

  test("before the window opens counts down on this machine's clock, even if the clock is wrong", () => {
    const opensAt = new Date('2026-06-01T06:10:00Z')
    expect(refusalOf('OUTSIDE_TIME_WINDOW', { ...times, opensAt, closesAt })).toEqual({
      page: 'too-early',
      code: 'OUTSIDE_TIME_WINDOW',
      opensAt,
      closesAt,
      opensAtLocalMs: localNowMs + 600_000,
    })
  })

  test.each([new Date('2026-06-01T05:00:00Z'), null])(
    'after the window, opened at %s, says that it is over',
    (opensAt) => {
      expect(refusalOf('OUTSIDE_TIME_WINDOW', { ...times, opensAt, closesAt }).page).toBe('over')
    },
  )
})

describe('a window that has ended', () => {
  test('is shown as over to somebody outside, and as closed to somebody inside', () => {
    expect(wordsOf('over', { wasInside: false })).toBe('over')
    expect(wordsOf('over', { wasInside: true })).toBe('closed')
  })

  test.each(['banned', 'removed', 'lost'])('does not change another end: %s', (page) => {
    expect(wordsOf(page, { wasInside: true })).toBe(page)
  })
})
