import { machine } from '../machine.ts'
import { median, round } from '../statistics.ts'
import type { Floor } from './floor.ts'
import { CPU_RATIO } from './ratios.ts'
import type { OperationResult, Plan, Round } from './rounds.ts'
import type { Stage } from './stage.ts'

type Figures = ReturnType<typeof figuresOf>

/** Medians; ratios are computed within a round. */
export function figuresOf({ rounds }: Pick<OperationResult, 'rounds'>) {
  const middle = (figure: (each: Round) => number) => round(median(rounds.map(figure)))
  const cpuRatios = rounds.map(({ service, raw }) => service.cpuMs / raw.cpuMs)
  return {
    perSec: middle(({ service }) => service.perSec),
    cpuMs: middle(({ service }) => service.cpuMs),
    rawPerSec: middle(({ raw }) => raw.perSec),
    rawCpuMs: middle(({ raw }) => raw.cpuMs),
    requests: middle(({ service, raw }) => service.perSec / raw.perSec),
    cpu: round(median(cpuRatios)),
    cpuFrom: round(Math.min(...cpuRatios)),
    cpuTo: round(Math.max(...cpuRatios)),
  }
}

/** Prints a table for people, then one line of JSON. */
export function report(stage: Stage, measured: readonly OperationResult[], plan: Plan): void {
  const operations = Object.fromEntries(
    measured.map((result) => [
      result.name,
      { ...worksOf(stage.floors[result.name]), ...figuresOf(result) },
    ]),
  )
  console.table(
    Object.fromEntries(measured.map(({ name }) => [name, rowOf(name, operations[name])])),
  )
  console.log(JSON.stringify({ bench: 'requests', machine: machine(), plan, operations }))
}

type Works = ReturnType<typeof worksOf>

/** The number of statements, of their round trips and of calls of the provider. */
function worksOf(floor: Floor | undefined) {
  const steps = floor?.steps ?? []
  const trips = steps.flatMap((step) => (step === 'provider' ? [] : step))
  return {
    statements: trips.flat().length,
    trips: trips.length,
    providerCalls: steps.length - steps.filter((step) => step !== 'provider').length,
  }
}

function rowOf(name: OperationResult['name'], figures: (Figures & Works) | undefined) {
  if (figures === undefined) return {}
  return {
    statements: `${figures.statements} in ${figures.trips}`,
    provider: figures.providerCalls,
    'req/s': figures.perSec,
    'CPU ms': figures.cpuMs,
    'raw req/s': figures.rawPerSec,
    'raw CPU ms': figures.rawCpuMs,
    'req/s to raw': figures.requests,
    'CPU to raw': `${figures.cpu} (${figures.cpuFrom} to ${figures.cpuTo})`,
    recorded: CPU_RATIO[name],
  }
}
