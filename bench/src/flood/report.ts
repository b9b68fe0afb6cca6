import { machine } from '../machine.ts'
import { quantile, round } from '../statistics.ts'

export const ACTS = ['ban', 'close', "another tenant's get", "another tenant's booking"] as const
export type Act = (typeof ACTS)[number]

/** Milliseconds, by act. */
export type Times = Record<Act, number[]>

export interface FloodResult {
  quiet: Times
  flooded: Readonly<Record<string, Times>>
}

/** Prints a table for people, then one line of JSON: milliseconds, and their ratio to the times without a flood. */
export function reportFlood(
  { quiet, flooded }: FloodResult,
  conditions: Record<string, number>,
): void {
  const rows = Object.entries(quiet).flatMap(([act, floor]) => [
    { act, beside: 'nothing', ...figuresOf(floor), p50ToQuiet: 1, p99ToQuiet: 1 },
    ...Object.entries(flooded).map(([beside, times]) => {
      const timesMs = times[act as keyof Times]
      return { act, beside, ...figuresOf(timesMs), ...ratios(timesMs, floor) }
    }),
  ])
  console.table(rows)
  console.log(JSON.stringify({ bench: 'flood', machine: machine(), conditions, rows }))
}

const figuresOf = (timesMs: readonly number[]) => ({
  p50Ms: round(quantile(timesMs, 0.5)),
  p99Ms: round(quantile(timesMs, 0.99)),
  maxMs: round(quantile(timesMs, 1)),
})

const ratios = (timesMs: readonly number[], floor: readonly number[]) => ({
  p50ToQuiet: round(quantile(timesMs, 0.5) / quantile(floor, 0.5)),
  p99ToQuiet: round(quantile(timesMs, 0.99) / quantile(floor, 0.99)),
})
