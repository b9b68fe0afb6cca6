import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { momentText, slotText, timecode } from './times.ts'

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['Date'], now: new Date(2026, 10, 26, 12) })
})

afterEach(() => {
  vi.useRealTimers()
})

describe('a moment', () => {
  const at = new Date(2026, 10, 9, 15, 5).toISOString()

  test('is read with the month as a word in English', () => {
    expect(momentText(at, 'en')).toBe('9 Nov 15:05')
    expect(momentText(at, 'ja')).toBe('11/9 15:05')
  })

  test('of another year contains the year: an API key may be last used or end in another year', () => {
    const past = new Date(2025, 10, 9, 15, 5).toISOString()
    expect(momentText(past, 'en')).toBe('9 Nov 2025 15:05')
    expect(momentText(past, 'ja')).toBe('2025/11/9 15:05')
    const next = new Date(2027, 0, 1).toISOString()
    expect(momentText(next, 'en')).toBe('1 Jan 2027 00:00')
  })

  test('begins a slot', () => {
    const slot = { starts_at: at, ends_at: new Date(2026, 10, 9, 16, 5).toISOString() }
    expect(slotText(slot, 'en')).toBe('9 Nov 15:05 – 16:05')
  })
})

describe('a time in a video', () => {
  test.each([
    [0, '0:00'],
    [61.9, '1:01'],
    [3599, '59:59'],
    [3661, '1:01:01'],
  ])('of %d seconds reads %s', (seconds, words) => {
    expect(timecode(seconds)).toBe(words)
  })
})
