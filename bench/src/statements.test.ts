import { expect, test } from 'vitest'
import { written } from './statements.ts'

test('writes a statement with each value in its place', () => {
  const values = Array.from({ length: 11 }, (_, at) => at + 1)
  const text = values.map((n) => `$${n}`).join(' ')
  expect(written({ text, values })).toBe('1 2 3 4 5 6 7 8 9 10 11')
})

test('escapes quotes, and writes times in UTC', () => {
  const values = ["it's", new Date('2026-11-21T09:30:00.250Z'), null]
  expect(written({ text: '($1, $2::timestamptz, $3)', values })).toBe(
    "('it''s', '2026-11-21T09:30:00.250Z'::timestamptz, null)",
  )
})

test('fails on a value that it cannot write', () => {
  expect(() => written({ text: '$1', values: [Buffer.from('x')] })).toThrow('no literal')
})
