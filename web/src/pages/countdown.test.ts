import { describe, expect, test } from 'vitest'
import { appointmentText, countdownText, windowText, zoneText } from './countdown.ts'

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

// A line is not broken within a moment or within the zone's name.
describe('the window', () => {
  const window = { opensAt: at, closesAt: new Date('2026-06-01T08:05:00Z') }

  test('is shown from its start to its end, in local time on a 24-hour clock', () => {
    expect(windowText(window, 'ja', 'Asia/Tokyo')).toBe(
      '6\u2060月\u20601\u2060日\u2060(月) 15:05～17:05',
    )
    expect(windowText(window, 'en', 'Europe/Berlin')).toBe('Mon\u00a01\u00a0Jun 08:05 – 10:05')
  })

  test('names both days if it ends on another day', () => {
    expect(windowText(window, 'ja', 'America/Los_Angeles')).toBe(
      '5\u2060月\u206031\u2060日\u2060(日) 23:05～6\u2060月\u20601\u2060日\u2060(月) 01:05',
    )
  })

  test('of the interview itself is shown with its zone', () => {
    const slot = { startsAt: at, endsAt: new Date('2026-06-01T07:05:00Z') }
    expect(appointmentText(slot, 'ja', 'Asia/Tokyo')).toBe(
      '6\u2060月\u20601\u2060日\u2060(月) 15:05～16:05（日本時間\u00a0JST）',
    )
    expect(appointmentText(slot, 'en', 'Asia/Tokyo')).toBe(
      'Mon\u00a01\u00a0Jun 15:05 – 16:05 (Japan\u00a0time,\u00a0JST)',
    )
  })

  test("names its zone, Japan's as JST", () => {
    expect(zoneText(at, 'ja', 'Asia/Tokyo')).toContain('JST')
    expect(zoneText(at, 'en', 'Asia/Tokyo')).toContain('JST')
    expect(zoneText(at, 'en', 'Europe/Berlin')).toBe('Central European Summer Time')
  })
})
