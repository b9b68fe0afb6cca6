import { outcomeWithin } from '../lib/settles-within.ts'
import { reasonOf } from './reasons.ts'

/** The answer of a check. It never contains a secret or a signed address. */
export interface Outcome {
  /** `skipped` says which other check must pass first, or why this process has nothing to check. */
  result: 'ok' | 'warn' | 'fail' | 'skipped'
  /** In plain words, one line. Readiness publishes it, so its checks use fixed words. */
  detail: string
  /** The change that fixes it, if it is not the check's `advice`. */
  mend?: string
  /** The measured value, in milliseconds. */
  observedMs?: number
  /** Ids of rows that break the rule. */
  examples?: string[]
}

/** An answer as readers report it. With `warn` and `fail`, `mend` is there. */
export interface CheckResult extends Outcome {
  check: string
}

/** One thing that must hold. Readiness, alarms, doctor and admin read the same values. */
export interface Check<Given> {
  /** Stable name in `/health/ready`, metric, log, doctor and runbook. */
  name: string
  /** Nothing if it passes. Throws if it gets no answer. */
  ask: (given: Given) => Promise<Outcome | undefined>
  /** The words for a check that passes, or the rule that holds. Left out where `ask` has its own. */
  passes?: string
  /** The change that fixes it; the runbook's section unless given. */
  advice?: string | ((given: Given) => string)
  when?: When<Given>
}

interface When<Given> {
  /** Readiness asks again after this time, and shows a check of a `minute` only if it does not pass. */
  readiness?: 'second' | 'minute'
  /** False if the doctor has a check that looks deeper. A warning of readiness is a failure to it. */
  doctor?: false
  /** Checks earlier in the list that must pass before the doctor asks. */
  needs?: readonly string[]
  /** Age of the process, in seconds, up to which readiness does not ask. */
  olderThanSec?: number
  /** A reason why this process has nothing to check. */
  skip?: (given: Given) => string | undefined
  /** The answer after an error (given) or the time limit. Without it, readiness keeps the earlier answer. */
  unanswered?: (error: unknown) => Outcome
}

export const ok = (detail: string): Outcome => ({ result: 'ok', detail })
export const skipped = (detail: string): Outcome => ({ result: 'skipped', detail })
export const warn = (detail: string, mend?: string): Outcome => outcome('warn', detail, mend)
export const fail = (detail: string, mend?: string): Outcome => outcome('fail', detail, mend)

function outcome(result: Outcome['result'], detail: string, mend?: string): Outcome {
  return mend === undefined ? { result, detail } : { result, detail, mend }
}

/** Asks a check once. `isAnswered` is false after an error and after `timeoutMs`. */
export async function askCheck<Given>(
  check: Check<Given>,
  given: Given,
  timeoutMs: number,
): Promise<{ isAnswered: boolean; found: CheckResult }> {
  const { name, passes = 'passes', when = {} } = check
  const reason = when.skip?.(given)
  if (reason !== undefined) return { isAnswered: true, found: { check: name, ...skipped(reason) } }
  const settled = await outcomeWithin((async () => check.ask(given))(), timeoutMs)
  if (settled?.status === 'fulfilled') {
    return { isAnswered: true, found: withAdvice(check, given, settled.value ?? ok(passes)) }
  }
  const words = settled === undefined ? 'gave no answer in time' : reasonOf(settled.reason)
  const found = when.unanswered?.(settled?.reason) ?? fail(words)
  return { isAnswered: false, found: withAdvice(check, given, found) }
}

function withAdvice<Given>(check: Check<Given>, given: Given, found: Outcome): CheckResult {
  const { name, advice = `See docs/runbook.md#${name.toLowerCase().replaceAll(':', '')}.` } = check
  if (found.result === 'ok' || found.result === 'skipped') return { check: name, ...found }
  const mend = typeof advice === 'string' ? advice : advice(given)
  return { check: name, mend, ...found }
}

/** Runs checks for a command: all at once, except that each waits for what it needs. In the order of the list. */
export async function runChecks<Given>(
  checks: readonly Check<Given>[],
  given: Given,
  timeoutMs: number,
): Promise<CheckResult[]> {
  const results = new Map<string, Promise<CheckResult>>()

  async function run(check: Check<Given>): Promise<CheckResult> {
    const needs = check.when?.needs ?? []
    const before = await Promise.all(needs.flatMap((name) => results.get(name) ?? []))
    const missing = before.find(({ result }) => result === 'fail' || result === 'skipped')
    if (missing !== undefined) {
      return { check: check.name, ...skipped(`needs ${missing.check}`) }
    }
    const { found } = await askCheck(check, given, timeoutMs)
    const isFailure = found.result === 'warn' && check.when?.readiness !== undefined
    return isFailure ? { ...found, result: 'fail' } : found
  }

  for (const check of checks) results.set(check.name, run(check))
  return Promise.all(results.values())
}
