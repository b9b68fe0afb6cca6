import { parseArgs } from 'node:util'
import { applyLoad, type Rate } from '../load.ts'
import { allOperations, type Operation } from './operations.ts'
import { reportControlPlane } from './report.ts'
import { chooseSqlFloor, type SqlFloor } from './sql-floor.ts'
import { type Stage, setStage } from './stage.ts'

/** As many as the service's pool has; the same number drives every side. */
const CONNECTIONS = 16
const WARM_UP_SEC = 3

/** What the three sides did in one round, one right after the other. */
export interface Round {
  service: Rate
  raw: Rate
  sql: Rate
}
type Side = keyof Round

export interface Measured {
  name: Operation['name']
  rounds: Round[]
}

/**
 * Create room, get room, list sessions and wrong key on the real service, on a raw `node:http`
 * handler of the same SQL, and as the SQL alone.
 */
export async function measureControlPlane(args: string[]): Promise<void> {
  const { values } = parseArgs({
    args,
    options: {
      rounds: { type: 'string', default: '5' },
      seconds: { type: 'string', default: '5' },
      only: { type: 'string' },
    },
  })
  const plan = { rounds: Number(values.rounds), seconds: Number(values.seconds) }
  const stage = await setStage()
  try {
    const floor = await chooseSqlFloor(stage)
    const { database, tenant } = stage
    const measured: Measured[] = []
    for (const operation of await allOperations({ url: database.url, tenant })) {
      if (values.only !== undefined && values.only !== operation.name) continue
      measured.push(await measure(operation, sidesOf(stage, floor), plan))
    }
    reportControlPlane(measured, { ...plan, connections: CONNECTIONS, sqlBy: floor.by })
  } finally {
    await stage.close()
  }
}

type Run = (operation: Operation, seconds: number) => Promise<Rate>

function sidesOf({ service, raw }: Stage, floor: SqlFloor): Record<Side, Run> {
  return {
    service: ({ service: request, serviceStatus: status }, seconds) =>
      applyLoad({ ...service, request, status, connections: CONNECTIONS, seconds }),
    raw: ({ raw: request, rawStatus: status }, seconds) =>
      applyLoad({ ...raw, request, status, connections: CONNECTIONS, seconds }),
    sql: (operation, seconds) => floor.run(operation, { connections: CONNECTIONS, seconds }),
  }
}

const ORDER: readonly Side[] = ['service', 'raw', 'sql']

/** Rounds that run forwards and backwards in turn, so that what drifts hits every side alike. */
async function measure(
  operation: Operation,
  sides: Record<Side, Run>,
  { rounds, seconds }: { rounds: number; seconds: number },
): Promise<Measured> {
  for (const side of ORDER) await sides[side](operation, WARM_UP_SEC)
  const measured: Round[] = []
  for (let n = 0; n < rounds; n += 1) {
    const round: Partial<Round> = {}
    for (const side of n % 2 === 0 ? ORDER : ORDER.toReversed()) {
      round[side] = await sides[side](operation, seconds)
    }
    measured.push(round as Round)
    console.log(progress(operation, n + 1, round as Round))
  }
  return { name: operation.name, rounds: measured }
}

function progress({ name }: Operation, n: number, round: Round): string {
  const figures = ORDER.map(
    (side) => `${side} ${round[side].perSec.toFixed(0)}/s ${round[side].cpuMs.toFixed(3)} ms`,
  )
  return `${name}, round ${n}: ${figures.join(', ')}`
}
