import { machine } from '../machine.ts'
import { median, round } from '../statistics.ts'

import type { ProviderCall } from './provider-calls.ts'
import type { OperationResult, Round } from './rounds.ts'

interface Conditions {
  rounds: number
  seconds: number
  connections: number
  sqlBy: string
  rawCall: ProviderCall
}

const CREATE_RATIO_MIN = 0.85
const WRONG_KEY_CPU_MS_MAX = 0.2

/**
 * Prints a table for people, then one line of JSON. Ratios are computed within a round; the report has their median.
 */
export function reportControlPlane(
  measured: readonly OperationResult[],
  conditions: Conditions,
): void {
  const operations = Object.fromEntries(
    measured.map(({ name, rounds }) => [name, figuresOf(rounds)]),
  )
  console.log(`\nThe SQL alone is driven by ${conditions.sqlBy}.`)
  console.log(`The raw handler calls the provider: ${conditions.rawCall}.`)
  console.table(Object.fromEntries(Object.entries(operations).map(([name, of]) => [name, row(of)])))
  const targets = {
    'create room, requests per second of the raw handler': {
      is: operations['create room']?.toRaw.perSec,
      atLeast: CREATE_RATIO_MIN,
    },
    'wrong key, ms of CPU': {
      is: operations['wrong key']?.service.cpuMs,
      below: WRONG_KEY_CPU_MS_MAX,
    },
  }
  console.table(targets)
  console.log(
    JSON.stringify({ bench: 'control-plane', machine: machine(), conditions, operations, targets }),
  )
}

type Figures = ReturnType<typeof figuresOf>

function figuresOf(rounds: readonly Round[]) {
  function middle(figure: (round: Round) => number): number {
    return round(median(rounds.map((each) => figure(each))))
  }
  function rateOf(side: keyof Round) {
    return {
      perSec: middle((each) => each[side].perSec),
      cpuMs: middle((each) => each[side].cpuMs),
    }
  }
  function ratioTo(floor: 'raw' | 'sql') {
    const ratios = rounds.map((each) => each.service.perSec / each[floor].perSec)
    return {
      perSec: round(median(ratios)),
      perSecFrom: round(Math.min(...ratios)),
      perSecTo: round(Math.max(...ratios)),
      cpu: middle((each) => each.service.cpuMs / each[floor].cpuMs),
    }
  }
  return {
    service: rateOf('service'),
    raw: rateOf('raw'),
    sql: rateOf('sql'),
    toRaw: ratioTo('raw'),
    toSql: ratioTo('sql'),
  }
}

function row({ service, raw, sql, toRaw, toSql }: Figures) {
  return {
    'req/s': service.perSec,
    'CPU ms': service.cpuMs,
    'raw req/s': raw.perSec,
    'raw CPU ms': raw.cpuMs,
    'SQL /s': sql.perSec,
    'SQL CPU ms': sql.cpuMs,
    'req/s to raw': `${toRaw.perSec} (${toRaw.perSecFrom} to ${toRaw.perSecTo})`,
    'CPU to raw': toRaw.cpu,
    'req/s to SQL': `${toSql.perSec} (${toSql.perSecFrom} to ${toSql.perSecTo})`,
    'CPU to SQL': toSql.cpu,
  }
}
