import * as fc from 'fast-check'
import { checkInvariants } from '../../domain/monitoring/check-invariants.ts'
import { findInDatabase } from '../find-in-database.ts'
import { listOpenTransactions } from './facts.ts'
import { type Outcome, runHistory } from './run-history.ts'
import { allStepsOf, describeStep, histories, type History, historyOf } from './steps.ts'
import type { World } from './world.ts'

/** Histories that run at the same time in the same processes. */
const AT_ONCE = 12
/** A failure is looked for alone: what has not come right by then is wrong. */
const ALONE_SETTLE_MS = 15_000
const TRIES = 2
/** The shortest history that was found until then is shown. */
const SHRINK_MS = 180_000

export interface Report {
  histories: number
  perMinute: number
  /** Number of steps and faults, by kind. */
  made: Record<string, number>
  repeated: number
  failures: { seed: number; violations: string[] }[]
}

export interface Bounds {
  firstSeed: number
  count: number
  /** No history begins later than this. */
  minutes: number
  failuresMax?: number
}

/** Runs the histories of these seeds, one after the other, several at a time. */
export async function runHistories(world: World, bounds: Bounds): Promise<Report> {
  const { firstSeed, count, minutes, failuresMax = 1 } = bounds
  const startMs = performance.now()
  const report: Report = { histories: 0, perMinute: 0, made: {}, repeated: 0, failures: [] }
  let next = firstSeed
  const isOver = () =>
    next >= firstSeed + count ||
    performance.now() - startMs > minutes * 60_000 ||
    report.failures.length >= failuresMax

  async function lane(): Promise<void> {
    while (!isOver()) {
      const seed = next
      next += 1
      note(report, seed, await runHistory(world, historyOf(seed)))
    }
  }
  await Promise.all(Array.from({ length: AT_ONCE }, lane))
  const violations = await judgeWorld(world)
  if (violations.length > 0) report.failures.push({ seed: firstSeed, violations })
  report.perMinute = Math.round(report.histories / ((performance.now() - startMs) / 60_000))
  return report
}

/** Files of histories that are over are deleted, so the daily look misses them. Each history compares its own. */
const FILES_FIT = 'files-fit-the-data'

/** The rules for all histories together when they are over. */
async function judgeWorld({ db, deps, erased }: World): Promise<string[]> {
  const checked = await checkInvariants(deps)
  const violations = checked.violations
    .filter(({ invariant }) => invariant !== FILES_FIT)
    .map(({ invariant, examples }) => `${invariant}: ${examples.join('; ')}`)
  const open = await listOpenTransactions(db)
  if (open.length > 0) violations.push(`transactions that do not end: ${open.join('; ')}`)
  const named = await findInDatabase(db, erased)
  if (named.length > 0) violations.push(`erased people are named: ${named.slice(0, 3).join('; ')}`)
  return violations
}

function note(report: Report, seed: number, { violations, made, repeated }: Outcome): void {
  report.histories += 1
  report.repeated += repeated
  for (const kind of made) report.made[kind] = (report.made[kind] ?? 0) + 1
  if (violations.length > 0) {
    report.failures.push({ seed, violations })
    process.stdout.write(`seed ${seed}: ${violations.join('\n  ')}\n`)
  }
  if (report.histories % 100 === 0) {
    process.stdout.write(`${report.histories} histories, ${report.failures.length} failures\n`)
  }
}

export interface Shrunk {
  history: History
  violations: string[]
}

/** The shortest history found that fails like that of the seed. Undefined if it does not fail alone. */
export async function shrink(world: World, seed: number): Promise<Shrunk | undefined> {
  let shortest: Shrunk | undefined
  const property = fc.asyncProperty(histories, async (history) => {
    for (let tries = 0; tries < TRIES; tries += 1) {
      const { violations } = await runHistory(world, history, ALONE_SETTLE_MS)
      if (violations.length === 0) continue
      shortest = { history, violations }
      return false
    }
    return true
  })
  await fc.check(property, { seed, numRuns: 1, interruptAfterTimeLimit: SHRINK_MS })
  return shortest
}

/** The lines that a person needs to follow a failure. */
export function describeShrunk(seed: number, shrunk: Shrunk | undefined): string {
  const replay = `HISTORIES_SEED=${seed} npm test -- server random-histories`
  if (shrunk === undefined) return `${replay}\n(fails only beside others)`
  const lines = allStepsOf(shrunk.history).map(describeStep)
  return [replay, ...lines.map((line) => `  ${line}`), ...shrunk.violations].join('\n')
}
