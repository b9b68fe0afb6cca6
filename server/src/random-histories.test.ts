import { afterEach, describe, expect, test } from 'vitest'
import { planted, PLANTED_BUGS } from './testing/histories/planted-bugs.ts'
import { describeShrunk, runHistories, shrink } from './testing/histories/run-histories.ts'
import { startWorld, type World, type WorldOptions } from './testing/histories/world.ts'
import { IS_FULL_RUN } from './testing/scope.ts'

/** Half an hour in the long run. */
const MINUTES = Number(process.env['HISTORIES_MINUTES'] ?? 0.5)
/** Replays the history of this seed alone. */
const SEED = Number(process.env['HISTORIES_SEED'] ?? 0)

let world: World | undefined
afterEach(() => world?.stop())

async function start(options?: WorldOptions): Promise<World> {
  world = await startWorld(options)
  return world
}

test('random histories with faults give every answer, event and row of the model', async () => {
  const started = await start()
  const firstSeed = SEED || Date.now() % 1_000_000_000
  const bounds = { firstSeed, count: SEED ? 1 : Infinity, minutes: MINUTES }
  const { failures, ...figures } = await runHistories(started, bounds)
  process.stdout.write(`random histories from seed ${firstSeed}: ${JSON.stringify(figures)}\n`)
  const [first] = failures
  if (first !== undefined) {
    process.stdout.write(`${describeShrunk(first.seed, await shrink(started, first.seed))}\n`)
  }
  expect(failures).toEqual([])
}, 7_200_000)

describe.runIf(IS_FULL_RUN)('random histories', () => {
  test.each(Object.entries(PLANTED_BUGS))(
    'find %s',
    async (_name, { seed, ...bug }) => {
      const started = await start({ env: planted(bug) })
      const bounds = { firstSeed: seed, count: 4, minutes: 5 }
      const { failures } = await runHistories(started, bounds)
      const [first] = failures
      expect(first).toBeDefined()
      if (first === undefined) return
      const shrunk = await shrink(started, first.seed)
      process.stdout.write(`${describeShrunk(first.seed, shrunk)}\n`)
      expect(shrunk?.history.steps.length ?? 0).toBeLessThan(16)
    },
    1_200_000,
  )
})
