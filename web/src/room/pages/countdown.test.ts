import { describe, expect, test } from 'vitest'
import { countdownText, momentText, zoneText } from './countdown.ts'

const at = new Date('2026-06-01T06:05:00Z')

describe('the countdown', () => {
  test.each([
    [3_723_000, '1:02:03'],
    [60_000, '01:00'],
    [59_001, '01:00'],
    [1, '00:01'],
    [0, '00:00'],
    [-5_000, '00:00'],
  ])('of %d ms reads %s', (leftMs, text) => {
    expect(countdownText(leftMs)).toBe(text)
  })
})

describe('the moment of opening', () => {
  test('is told in local time on a 24-hour clock', () => {
    expect(momentText(at, 'ja', 'Asia/Tokyo')).toMatch(/6月1日.*15:05/)
    expect(momentText(at, 'en', 'Europe/Berlin')).toMatch(/1 Jun.*08:05/)
  })

  test("names its zone, Japan's as JST", () => {
    expect(zoneText(at, 'ja', 'Asia/Tokyo')).toContain('JST')
    expect(zoneText(at, 'en', 'Asia/Tokyo')).toContain('JST')
    expect(zoneText(at, 'en', 'Europe/Berlin')).toBe('Central European Summer Time')
  })
})
