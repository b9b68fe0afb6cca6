import { expect, test } from 'vitest'
import { createHints, type Hint } from './hints.ts'

const of = (payload: string): Hint => ({ channel: 'live', payload })

/** Hints whose batches are noted, and wait until they are let go. */
function heldHints() {
  const batches: string[][] = []
  let held = Promise.withResolvers<void>()
  const hints = createHints(async (batch) => {
    batches.push(batch.map(({ payload }) => payload))
    await held.promise
  })
  return {
    hints,
    batches,
    letGo: () => held.resolve(),
    fail: () => {
      held.reject(new Error('the database is away'))
      held = Promise.withResolvers()
    },
  }
}

test('the first hint is sent at once, and those that come meanwhile together, each once', async () => {
  const { hints, batches, letGo } = heldHints()
  hints.add([of('a')])
  expect(batches).toEqual([['a']])
  for (const room of ['b', 'c', 'b', 'a']) hints.add([of(room)])
  letGo()
  await hints.end()
  expect(batches).toEqual([['a'], ['b', 'c', 'a']])
})

test('a batch that fails keeps nothing from the next', async () => {
  const { hints, batches, letGo, fail } = heldHints()
  hints.add([of('a')])
  hints.add([of('b')])
  fail()
  letGo()
  await hints.end()
  expect(batches).toEqual([['a'], ['b']])
  hints.add([of('c')])
  expect(batches).toHaveLength(3)
})
