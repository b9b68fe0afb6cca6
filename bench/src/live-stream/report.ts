import { machine } from '../machine.ts'
import { quantile, round } from '../statistics.ts'
import type { Delivery } from './deliver.ts'

/** With all readers, to the floor. */
const P99_RATIO_MAX = 4

export interface StreamResult {
  name: string
  readers: number
  service: Delivery
  /** The floor, without the service's own work. */
  raw: Delivery
}

type Cells = Record<'one' | 'all' | 'without' | 'slow', StreamResult>

/** Prints a table for people, then one line of JSON. */
export function reportLiveStream(cells: Cells, conditions: Record<string, number>): void {
  const runs = Object.values(cells).map((each) => ({
    name: each.name,
    readers: each.readers,
    service: figuresOf(each.service),
    raw: figuresOf(each.raw),
    toRaw: {
      p50: ratio(each, (of) => quantile(of.timesMs, 0.5)),
      p99: ratio(each, p99),
      cpu: ratio(each, (of) => of.cpuMs),
    },
  }))
  const { without, slow } = cells
  const slowReader = {
    p99ToWithout: round(p99(slow.service) / p99(without.service)),
    p50ToWithout: round(
      quantile(slow.service.timesMs, 0.5) / quantile(without.service.timesMs, 0.5),
    ),
    wasCut: slow.service.wasSlowReaderCut,
  }
  console.log('\nEvery reader got exactly the messages, in order. Milliseconds:')
  console.table(Object.fromEntries(runs.map((run) => [run.name, row(run)])))
  console.log('Beside a slow reader, as a ratio to the run without it:')
  console.table(slowReader)
  console.log(
    `p99 to all readers as a ratio to raw, target at most ${P99_RATIO_MAX}: ${ratio(cells.all, p99)}`,
  )
  console.log(
    JSON.stringify({ bench: 'live-stream', machine: machine(), conditions, runs, slowReader }),
  )
}

function p99({ timesMs }: Delivery): number {
  return quantile(timesMs, 0.99)
}

function ratio({ service, raw }: StreamResult, figure: (of: Delivery) => number): number {
  return round(figure(service) / figure(raw))
}

type Figures = ReturnType<typeof figuresOf>

function figuresOf({ timesMs, cpuMs, bytesPerMessage, delayed }: Delivery) {
  return {
    deliveries: timesMs.length,
    p50Ms: round(quantile(timesMs, 0.5)),
    p95Ms: round(quantile(timesMs, 0.95)),
    p99Ms: round(quantile(timesMs, 0.99)),
    maxMs: round(quantile(timesMs, 1)),
    cpuMs: round(cpuMs),
    bytes: bytesPerMessage,
    delayed,
  }
}

interface Run {
  service: Figures
  raw: Figures
  toRaw: { p50: number; p99: number; cpu: number }
}

function row({ service, raw, toRaw }: Run) {
  return {
    p50: service.p50Ms,
    p95: service.p95Ms,
    p99: service.p99Ms,
    max: service.maxMs,
    'held up': service.delayed,
    'CPU per delivery': service.cpuMs,
    'raw p50': raw.p50Ms,
    'raw p99': raw.p99Ms,
    'raw CPU': raw.cpuMs,
    'p50 to raw': toRaw.p50,
    'p99 to raw': toRaw.p99,
    'CPU to raw': toRaw.cpu,
    'bytes, service and raw': `${service.bytes} ${raw.bytes}`,
  }
}
