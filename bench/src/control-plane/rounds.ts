import type { Rate } from '../load.ts'
import type { Operation } from './operations.ts'

/** The service has many times more code than the other sides. The compiler is busy with it until then. */
const WARM_UP_SEC = 15

/** The results of the three sides in one round, measured one right after the other. */
export interface Round {
  service: Rate
  raw: Rate
  sql: Rate
}

export type Side = keyof Round
/** Runs an operation against a side for that many seconds. */
export type Run = (operation: Operation, seconds: number) => Promise<Rate>

export interface OperationResult {
  name: Operation['name']
  rounds: Round[]
}

const ORDER: readonly Side[] = ['service', 'raw', 'sql']

/** Rounds alternate between forward and backward order, so that drift affects every side alike. */
export async function takeRounds(
  operation: Operation,
  sides: Record<Side, Run>,
  { rounds, seconds }: { rounds: number; seconds: number },
): Promise<OperationResult> {
  for (const side of ORDER) await sides[side](operation, WARM_UP_SEC)
  const taken: Round[] = []
  for (let n = 0; n < rounds; n += 1) {
    const round: Partial<Round> = {}
    for (const side of n % 2 === 0 ? ORDER : ORDER.toReversed()) {
      round[side] = await sides[side](operation, seconds)
    }
    taken.push(round as Round)
    console.log(progress(operation, n + 1, round as Round))
  }
  return { name: operation.name, rounds: taken }
}

function progress({ name }: Operation, n: number, round: Round): string {
  const figures = ORDER.map(
    (side) => `${side} ${round[side].perSec.toFixed(0)}/s ${round[side].cpuMs.toFixed(3)} ms`,
  )
  return `${name}, round ${n}: ${figures.join(', ')}`
}
