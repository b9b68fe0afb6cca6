import { expect, test } from 'vitest'
import { consentEn } from '../i18n/consent-en.ts'
import { consentJa } from '../i18n/consent-ja.ts'
import { markerText } from './marker-text.ts'

const marker = (payload: Record<string, unknown> | null) => ({
  type: 'marker' as const,
  participant_id: null,
  identity: 'a',
  display_name: 'Mori',
  payload,
  created_at: '2026-06-01T10:15:00.000Z',
})

const SESSION = {
  name: 'Packaging',
  starts_at: '2026-06-01T10:00:00.000Z',
  ends_at: '2026-06-01T11:00:00.000Z',
}

test('a file of markers has the interview, and a line with time, place and note for each', () => {
  const markers = [marker({ note: '価格の話', offset_sec: 612.4 }), marker(null)]
  const lines = markerText({ session: SESSION, markers }, consentJa.farewell.markers, 'ja').split(
    '\r\n',
  )
  expect(lines[0]).toBe('Packaging')
  expect(lines.slice(3)).toEqual([
    expect.stringMatching(/^\d\d:15:00\t録画の 10:12\t価格の話$/),
    expect.stringMatching(/^\d\d:15:00\t（メモなし）$/),
    '',
  ])
})

test('a marker for an earlier moment has the time of that moment', () => {
  const markers = [marker({ note: 'a', marked_at: '2026-06-01T10:14:30.000Z' })]
  const text = markerText({ session: null, markers }, consentEn.farewell.markers, 'en')
  expect(text).toMatch(/^\d\d:14:30\ta\r\n$/)
})
