import { expect, test } from 'vitest'
import { clockOf, csvOf } from './csv.ts'

test('a table has its columns, quoted where needed, and its encoding', () => {
  expect(
    csvOf(
      ['時刻', 'text'],
      [
        [1.5, 'She said "no",\nthen left'],
        [null, ''],
      ],
    ),
  ).toBe('\uFEFF時刻,text\r\n1.5,"She said ""no"",\nthen left"\r\n,\r\n')
})

test.each(['=HYPERLINK("http://x")', '+1', '-1', '@a', '\tx'])(
  'a text that spreadsheets take for a formula stays a text: %j',
  (text) => {
    const [, row = ''] = csvOf(['text'], [[text]]).split('\r\n')
    expect(row.replace(/^"/, '').startsWith("'")).toBe(true)
  },
)

test.each([
  [0, '0:00:00.0'],
  [754.25, '0:12:34.3'],
  [59.97, '0:01:00.0'],
  [36_000, '10:00:00.0'],
])('%d s is written %s', (sec, clock) => {
  expect(clockOf(sec)).toBe(clock)
})
