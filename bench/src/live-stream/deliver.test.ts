import { expect, test } from 'vitest'
import { timesOf } from './deliver.ts'

const SENT = [
  { id: 'a', fromMs: 100 },
  { id: 'b', fromMs: 200 },
]

test('measures the time from the start of the POST to the arrival', () => {
  const arrivals = [
    { id: 'a', atMs: 103 },
    { id: 'b', atMs: 207 },
  ]
  expect(timesOf({ arrivals }, SENT)).toEqual([3, 7])
})

test.each([
  ['misses a message', ['a']],
  ['got one twice', ['a', 'b', 'b']],
  ['got them in another order', ['b', 'a']],
])('a run in which a reader %s fails', (_, ids) => {
  const arrivals = ids.map((id) => ({ id, atMs: 300 }))
  expect(() => timesOf({ arrivals }, SENT)).toThrow(/^a reader got/)
})
