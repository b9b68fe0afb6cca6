import { afterAll, beforeAll, expect, test } from 'vitest'
import { describeShrunk, runHistories, shrink } from './testing/histories/run-histories.ts'
import { startWorld, type World } from './testing/histories/world.ts'

/** Half an hour in the long run. */
const MINUTES = Number(process.env['HISTORIES_MINUTES'] ?? 0.6)
const COUNT = Number(process.env['HISTORIES'] ?? 1_000_000)
/** Replays the history of this seed alone. */
const SEED = Number(process.env['HISTORIES_SEED'] ?? 0)

let world: World
beforeAll(async () => {
  world = await startWorld()
})
afterAll(() => world?.stop())

test('random histories with faults give every answer, event and row of the model', async () => {
  const firstSeed = SEED || Date.now() % 1_000_000_000
  const bounds = { firstSeed, count: SEED ? 1 : COUNT, minutes: MINUTES }
  const { failures, ...figures } = await runHistories(world, bounds)
  process.stdout.write(`random histories from seed ${firstSeed}: ${JSON.stringify(figures)}\n`)
  const [first] = failures
  if (first !== undefined && !process.env['NOSHRINK']) {
    process.stdout.write(`${describeShrunk(first.seed, await shrink(world, first.seed))}\n`)
  }
  expect(failures).toEqual([])
}, 7_200_000)
