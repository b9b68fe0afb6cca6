import packageJson from '../../../package.json' with { type: 'json' }
import { MONITORING_CHECKS } from '../../domain/monitoring/monitoring-checks.ts'
import { askCheck, type Check, type CheckResult, fail } from '../../platform/checks/check.ts'
import { MACHINE_CHECKS, PART_CHECKS } from '../../platform/checks/service-checks.ts'
import type { Deps } from '../../platform/ports/deps.ts'
import { checkPages } from '../pages/pages.ts'

type HealthStatus = 'pass' | 'warn' | 'fail'

interface HealthCheck {
  status: HealthStatus
  componentType: 'datastore' | 'component'
  observedValue?: number
  observedUnit?: 'ms'
  /** Why it does not pass, in fixed words: the answer is public. */
  output?: string
  time: string
}

/** The body of `application/health+json` (draft-inadarei-api-health-check). */
export interface Health {
  status: HealthStatus
  /** Version of the API. */
  version: string
  /** Version of the software. */
  releaseId: string
  checks: Checks
}

type Checks = Record<string, HealthCheck[]>

const TIMEOUT_MS = 2_000
const KEEP_MS = { second: 1_000, minute: 60_000 }
/** How long answers of a minute are kept while a check gets none. */
const KEEP_UNANSWERED_MS = 5_000

export function liveness(): Health {
  return { status: 'pass', version: '1', releaseId: packageJson.version, checks: {} }
}

type HealthDeps = Pick<
  Deps,
  | 'db'
  | 'urgentDb'
  | 'media'
  | 'storage'
  | 'clock'
  | 'config'
  | 'log'
  | 'metrics'
  | 'secretBox'
  | 'stopping'
>

/** Every check of a process. The doctor's list begins with it. */
export const PROCESS_CHECKS: readonly Check<Omit<HealthDeps, 'log' | 'stopping'>>[] = [
  ...PART_CHECKS,
  {
    name: 'pages:responseTime',
    async ask({ config }) {
      await checkPages({ config })
      return undefined
    },
    passes: 'the pages are built',
    advice: 'Run "npm run build", or set PAGES_DIR to the built pages.',
    when: {
      readiness: 'second',
      skip: ({ config }) =>
        config.role === 'worker' ? 'workers have no pages: ROLE is worker' : undefined,
      unanswered: () => fail('Pages are missing: npm run build makes them.'),
    },
  },
  ...MONITORING_CHECKS,
  ...MACHINE_CHECKS,
]

export type Readiness = () => Promise<Health>

/**
 * Answers whether requests can be served: `fail` while starting or stopping, without the database or the pages and
 * with a foreign SECRETS_KEY; `warn` without media or storage and where the service is set up wrongly.
 * Asks the parts at most once a second and all else at most once a minute. Each change is a line in the log.
 */
export function createReadiness(deps: HealthDeps, isStarted = () => true): Readiness {
  const { clock, stopping } = deps
  const reportChanges = changeReport(deps)
  const findings = keepFindings(deps)
  let last: { atMs: number; health: Promise<Health> } | undefined

  async function ask(): Promise<Health> {
    const [parts, found] = await Promise.all([askParts(deps), findings()])
    const time = clock().toISOString()
    const checks: Checks = { ...parts }
    for (const result of found) {
      if (result.result !== 'ok') checks[result.check] = [healthOf(result, time)]
    }
    reportChanges(checks)
    return { ...liveness(), status: worstOf(Object.values(checks).flat()), checks }
  }

  return async () => {
    // Separate from all else: a load balancer must know immediately.
    if (stopping.aborted) return notServing(clock, 'stopping')
    if (!isStarted()) return notServing(clock, 'starting')
    const nowMs = clock().getTime()
    if (last === undefined || Math.abs(nowMs - last.atMs) >= KEEP_MS.second) {
      last = { atMs: nowMs, health: ask() }
    }
    return last.health
  }
}

function notServing(clock: Deps['clock'], doing: 'starting' | 'stopping'): Health {
  const found: CheckResult = {
    check: `process:${doing}`,
    result: 'fail',
    detail: `The process is ${doing}.`,
  }
  const checks = { [found.check]: [healthOf(found, clock().toISOString())] }
  return { ...liveness(), status: 'fail', checks }
}

function healthOf({ check, result, detail, observedMs }: CheckResult, time: string): HealthCheck {
  return {
    status: result === 'warn' || result === 'fail' ? result : 'pass',
    componentType: check.startsWith('database:') ? 'datastore' : 'component',
    ...(observedMs !== undefined && { observedValue: observedMs, observedUnit: 'ms' }),
    ...(result !== 'ok' && { output: detail }),
    time,
  }
}

/** Without those that do not apply to this process. */
const checksOf = (readiness: 'second' | 'minute', deps: HealthDeps) =>
  PROCESS_CHECKS.filter(
    ({ when }) => when?.readiness === readiness && when.skip?.(deps) === undefined,
  )

async function askParts(deps: HealthDeps): Promise<Checks> {
  const answers = await Promise.all(
    checksOf('second', deps).map(async (check): Promise<[string, HealthCheck[]]> => {
      const startMs = performance.now()
      const { found } = await askCheck(check, deps, TIMEOUT_MS)
      const observedMs = Math.round((performance.now() - startMs) * 10) / 10
      return [check.name, [healthOf({ ...found, observedMs }, deps.clock().toISOString())]]
    }),
  )
  return Object.fromEntries(answers)
}

/** Asks once a minute. While a check gets no answer, its earlier one holds and it is asked again soon. */
function keepFindings(deps: HealthDeps): () => Promise<readonly CheckResult[]> {
  const { clock } = deps
  const startedMs = clock().getTime()
  const answers = new Map<string, CheckResult>()
  let last: { untilMs: number; found: Promise<readonly CheckResult[]> } | undefined

  async function look(): Promise<readonly CheckResult[]> {
    const upSec = (clock().getTime() - startedMs) / 1000
    const asked = checksOf('minute', deps).filter(
      ({ when }) => upSec > (when?.olderThanSec ?? -Infinity),
    )
    const areAnswered = await Promise.all(
      asked.map(async (check) => {
        const { isAnswered, found } = await askCheck(check, deps, TIMEOUT_MS)
        if (isAnswered) answers.set(check.name, found)
        return isAnswered
      }),
    )
    if (last !== undefined && areAnswered.includes(false)) {
      last.untilMs = clock().getTime() + KEEP_UNANSWERED_MS
    }
    return [...answers.values()]
  }

  return () => {
    const nowMs = clock().getTime()
    if (last === undefined || nowMs >= last.untilMs || nowMs < last.untilMs - KEEP_MS.minute) {
      last = { untilMs: nowMs + KEEP_MS.minute, found: look() }
    }
    return last.found
  }
}

const STATE = { pass: 0, warn: 1, fail: 2 } as const

/** Logs each change of a check's status, and keeps its metric. */
function changeReport({ log, metrics }: Pick<Deps, 'log' | 'metrics'>): (checks: Checks) => void {
  const known = new Map<string, HealthStatus>()
  return (checks) => {
    for (const name of new Set([...known.keys(), ...Object.keys(checks)])) {
      const check = checks[name]?.[0]
      const status = check?.status ?? 'pass'
      const before = known.get(name) ?? 'pass'
      known.set(name, status)
      metrics.checkState.set({ check: name }, STATE[status])
      if (status === before) continue
      const what = { check: name, status, reason: check?.output }
      if (status === 'pass') log.info(what, 'readiness check passes again')
      else if (status === 'warn') log.warn(what, 'readiness check warns')
      else log.error(what, 'readiness check fails')
    }
  }
}

function worstOf(checks: readonly HealthCheck[]): HealthStatus {
  const statuses = checks.map((check) => check.status)
  if (statuses.includes('fail')) return 'fail'
  return statuses.includes('warn') ? 'warn' : 'pass'
}
