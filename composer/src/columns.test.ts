import { expect, test } from 'vitest'
import { Columns } from './columns.ts'

interface Row {
  timeMs: number
  size: number
  width: number
  level: number
  isKeyFrame: boolean
}

const columns = () =>
  new Columns<Row>({
    timeMs: 'exact',
    size: 'count',
    width: 'short',
    level: 'byte',
    isKeyFrame: 'flag',
  })

const rowAt = (i: number): Row => ({
  timeMs: 1_790_000_000_000.125 + i,
  size: 2 ** 32 - 1 - i,
  width: 2 ** 16 - 1 - (i % 100),
  level: i % 128,
  isKeyFrame: i % 3 === 0,
})

test('rows are read as they were written, however many', () => {
  const rows = columns()
  const written = Array.from({ length: 5_000 }, (_, i) => rowAt(i))
  for (const row of written) rows.push(row)
  expect(rows).toHaveLength(written.length)
  expect([...rows]).toEqual(written)
  expect([rows.at(0), rows.at(-1), rows.at(4_999)]).toEqual([rowAt(0), rowAt(4_999), rowAt(4_999)])
})

test('returns undefined beyond the rows', () => {
  const rows = columns()
  expect([rows.at(0), rows.at(-1), [...rows]]).toEqual([undefined, undefined, []])
  rows.push(rowAt(0))
  expect([rows.at(1), rows.at(-2)]).toEqual([undefined, undefined])
  expect(() => rows.set(1, 'timeMs', 1)).toThrow(RangeError)
})

test('sets one value of a row, and earlier copies stay unchanged', () => {
  const rows = columns()
  rows.push(rowAt(0))
  const before = rows.at(0)
  rows.set(0, 'timeMs', 5.5)
  rows.set(0, 'isKeyFrame', false)
  expect(rows.at(0)).toEqual({ ...rowAt(0), timeMs: 5.5, isKeyFrame: false })
  expect(before).toEqual(rowAt(0))
})
