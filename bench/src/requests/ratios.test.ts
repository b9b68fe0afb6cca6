import { IS_FULL_RUN } from '@interview-room/server/src/testing/scope.ts'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { OperationName } from './operations.ts'
import { CPU_RATIO } from './ratios.ts'
import { figuresOf } from './report.ts'
import { takeRounds } from './rounds.ts'
import { setStage, type Stage } from './stage.ts'

const WATCHED: readonly OperationName[] = [
  'create room',
  'get room',
  'chat message',
  'entry',
  'renewed ticket',
]
/** Rounds of a busy machine differ by a fifth. */
const GROWTH_MAX = 1.3
const PLAN = { rounds: 5, seconds: 2, warmUpSec: 10 }

// The setup takes half a minute and the rounds three minutes.
describe.skipIf(!IS_FULL_RUN)('CPU of the service to that of plain pg and node:http', () => {
  const cleanup = new AsyncDisposableStack()
  let stage: Stage

  beforeAll(async () => {
    stage = await setStage(cleanup)
  })
  afterAll(() => cleanup.disposeAsync())

  test.each(WATCHED)('has not grown by a third: %s', async (name) => {
    const operation = stage.operations.find((each) => each.name === name)
    if (operation === undefined) throw new Error(`no operation ${name}`)
    const { cpu } = figuresOf(await takeRounds(stage, operation, PLAN))
    console.log(`${name}: ${cpu}, recorded ${CPU_RATIO[name]}`)
    expect(cpu).toBeLessThan(CPU_RATIO[name] * GROWTH_MAX)
  })
})
