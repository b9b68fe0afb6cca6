import { parseArgs } from 'node:util'
import { applyLoad } from '../load.ts'
import { allOperations } from './operations.ts'
import { PROVIDER_CALLS } from './provider-calls.ts'
import { reportControlPlane } from './report.ts'
import { type OperationResult, type Run, type Side, takeRounds } from './rounds.ts'
import { chooseSqlFloor, type SqlFloor } from './sql-floor.ts'
import { type Stage, setStage } from './stage.ts'

/** The size of the service's connection pool. Every side is driven with the same number. */
const CONNECTIONS = 16

/**
 * Measures create room, get room, list sessions and wrong key: on the real service, on a raw `node:http` handler with
 * the same SQL, and with the SQL alone.
 */
export async function measureControlPlane(args: string[]): Promise<void> {
  const { values } = parseArgs({
    args,
    options: {
      rounds: { type: 'string', default: '5' },
      seconds: { type: 'string', default: '5' },
      only: { type: 'string' },
      'raw-calls-provider': { type: 'string', default: 'adapter' },
    },
  })
  const plan = { rounds: Number(values.rounds), seconds: Number(values.seconds) }
  const rawCall = PROVIDER_CALLS.find((call) => call === values['raw-calls-provider'])
  if (rawCall === undefined) throw new Error(`--raw-calls-provider ${PROVIDER_CALLS.join(' | ')}`)
  const stage = await setStage(rawCall)
  try {
    const { database, tenant } = stage
    const floor = await chooseSqlFloor(stage)
    const measured: OperationResult[] = []
    for (const operation of await allOperations({ url: database.url, tenant })) {
      if (values.only !== undefined && values.only !== operation.name) continue
      measured.push(await takeRounds(operation, sidesOf(stage, floor), plan))
    }
    const conditions = { ...plan, connections: CONNECTIONS, sqlBy: floor.by, rawCall }
    reportControlPlane(measured, conditions)
  } finally {
    await stage.close()
  }
}

function sidesOf({ service, raw }: Stage, floor: SqlFloor): Record<Side, Run> {
  return {
    service: ({ service: request, serviceStatus: status }, seconds) =>
      applyLoad({ ...service, request, status, connections: CONNECTIONS, seconds }),
    raw: ({ raw: request, rawStatus: status }, seconds) =>
      applyLoad({ ...raw, request, status, connections: CONNECTIONS, seconds }),
    sql: (operation, seconds) => floor.run(operation, { connections: CONNECTIONS, seconds }),
  }
}
