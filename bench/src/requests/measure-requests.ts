import { parseArgs } from 'node:util'
import { PLANES } from './operations.ts'
import { report } from './report.ts'
import { type OperationResult, takeRounds } from './rounds.ts'
import { setStage } from './stage.ts'

const WARM_UP_SEC = 15

/** Measures the requests of a plane on the real service, and on its floor: a `node:http` handler with plain `pg`. */
export function measureRequests(plane: keyof typeof PLANES): (args: string[]) => Promise<void> {
  return async (args) => {
    const { values } = parseArgs({
      args,
      options: {
        rounds: { type: 'string', default: '5' },
        seconds: { type: 'string', default: '5' },
        only: { type: 'string' },
      },
    })
    const plan = {
      rounds: Number(values.rounds),
      seconds: Number(values.seconds),
      warmUpSec: WARM_UP_SEC,
    }
    const names: readonly string[] = values.only === undefined ? PLANES[plane] : [values.only]
    const cleanup = new AsyncDisposableStack()
    try {
      const stage = await setStage(cleanup)
      const measured: OperationResult[] = []
      for (const operation of stage.operations.filter(({ name }) => names.includes(name))) {
        measured.push(await takeRounds(stage, operation, plan))
      }
      report(stage, measured, plan)
    } finally {
      await cleanup.disposeAsync()
    }
  }
}
