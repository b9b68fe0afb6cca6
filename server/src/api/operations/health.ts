import packageJson from '../../../package.json' with { type: 'json' }
import { createSelfChecks, type ConfigFinding } from '../../domain/monitoring/self-checks.ts'
import type { Config } from '../../platform/config/config.ts'
import { isOfCertificate, refusalState } from '../../platform/db/connect-problem.ts'
import { DatabaseLost } from '../../platform/db/unavailable.ts'
import type { Deps } from '../../platform/ports/deps.ts'
import { MediaError } from '../../platform/ports/media.ts'
import { StorageError } from '../../platform/ports/storage.ts'
import { storageFault } from '../../platform/storage/storage-fault.ts'
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
  checks: Record<string, HealthCheck[]>
}

const PROBE_TIMEOUT_MS = 2_000
const KEEP_MS = 1_000

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

export type Readiness = () => Promise<Health>

/**
 * Answers whether requests can be served: `fail` while starting or stopping, without the database or the pages and
 * with a foreign SECRETS_KEY; `warn` without media or storage and where the service is set up wrongly.
 * Asked at most once a second, however many ask here; what changes is a line in the log.
 */
export function createReadiness(deps: HealthDeps, isStarted = () => true): Readiness {
  const { clock, stopping } = deps
  const reportChanges = changeReport(deps)
  const selfChecks = createSelfChecks(deps)
  let last: { atMs: number; health: Promise<Health> } | undefined

  async function ask(): Promise<Health> {
    const [probes, findings] = await Promise.all([probeAll(deps), selfChecks()])
    const time = clock().toISOString()
    const checks: Checks = { ...probes }
    for (const finding of findings) checks[finding.check] = [checkOf(finding, time)]
    reportChanges(checks)
    return { ...liveness(), status: worstOf(Object.values(checks).flat()), checks }
  }

  return async () => {
    // Separate from all else: a load balancer must know immediately.
    if (stopping.aborted) return notServing(clock, 'stopping')
    if (!isStarted()) return notServing(clock, 'starting')
    const nowMs = clock().getTime()
    if (last === undefined || Math.abs(nowMs - last.atMs) >= KEEP_MS) {
      last = { atMs: nowMs, health: ask() }
    }
    return last.health
  }
}

function notServing(clock: Deps['clock'], doing: 'starting' | 'stopping'): Health {
  const check: HealthCheck = {
    status: 'fail',
    componentType: 'component',
    output: `The process is ${doing}.`,
    time: clock().toISOString(),
  }
  return { ...liveness(), status: 'fail', checks: { [`process:${doing}`]: [check] } }
}

function checkOf({ status, reason, observedMs }: ConfigFinding, time: string): HealthCheck {
  return {
    status,
    componentType: 'component',
    ...(observedMs !== undefined && { observedValue: observedMs, observedUnit: 'ms' }),
    output: reason,
    time,
  }
}

type Checks = Record<string, HealthCheck[]>

async function probeAll(deps: HealthDeps): Promise<Checks> {
  // A process with much to do is ready all the same: its requests' connections are not asked for one.
  const { urgentDb, media, storage, clock, config } = deps
  const recorderUrls = recordersOf(config)
  const [database, mediaCheck, storageCheck, recorders, pages] = await Promise.all([
    probe(clock, {
      componentType: 'datastore',
      failed: 'fail',
      ask: () => urgentDb`select 1`,
      reasonFor: reasonForDatabase,
    }),
    probe(clock, {
      componentType: 'component',
      failed: 'warn',
      ask: () => media.check(),
      reasonFor: reasonForMedia,
    }),
    probe(clock, {
      componentType: 'component',
      failed: 'warn',
      ask: () => storage.check(),
      reasonFor: reasonForStorage,
    }),
    recorderUrls.length === 0
      ? undefined
      : probe(clock, {
          componentType: 'component',
          failed: 'warn',
          ask: () => Promise.all(recorderUrls.map(askRecorder)),
          reasonFor: () => 'A recorder does not answer or cannot record: npm run doctor names it.',
        }),
    // Workers serve no pages.
    config.role === 'worker'
      ? undefined
      : probe(clock, {
          componentType: 'component',
          failed: 'fail',
          ask: () => checkPages(deps),
          reasonFor: () => 'Pages are missing: npm run build makes them.',
        }),
  ])
  return {
    'database:responseTime': [database],
    'media:responseTime': [mediaCheck],
    'storage:responseTime': [storageCheck],
    ...(recorders && { 'recorders:responseTime': [recorders] }),
    ...(pages && { 'pages:responseTime': [pages] }),
  }
}

/** The addresses of our own recorders, without LiveKit's. Its egress workers have no address, and LiveKit lists none. */
function recordersOf({ livekit }: Config): string[] {
  return livekit.egressUrls.filter((url) => url !== livekit.apiUrl)
}

/** Throws if it does not answer, or reports that something is missing. A server other than ours has no such page. */
async function askRecorder(url: string): Promise<void> {
  const answer = await fetch(`${url}/health`, { signal: AbortSignal.timeout(PROBE_TIMEOUT_MS) })
  await answer.body?.cancel()
  if (answer.status >= 500) throw new MediaError(`a recorder answers ${answer.status}`)
}

/** By the SQL state; of a class by its first two characters. */
const DATABASE_REFUSALS = [
  ['28', 'PostgreSQL refuses the user or the password of DATABASE_URL.'],
  ['3D', 'PostgreSQL has no database of the name in DATABASE_URL.'],
  ['53300', 'PostgreSQL has no connection left for the user of DATABASE_URL.'],
] as const

function reasonForDatabase(error: unknown): string {
  if (error instanceof DatabaseLost && error.isReadOnly)
    return 'The database only reads: DATABASE_URL must lead to the primary.'
  if (isOfCertificate(error)) return 'The certificate of PostgreSQL has expired or is not trusted.'
  const state = refusalState(error)
  const refusal = DATABASE_REFUSALS.find(([begin]) => state?.startsWith(begin))
  return refusal?.[1] ?? 'The database does not answer.'
}

function reasonForMedia(error: unknown): string {
  return error instanceof MediaError && error.isUnauthorized
    ? 'LiveKit refuses our key: check LIVEKIT_API_KEY and LIVEKIT_API_SECRET.'
    : 'LiveKit does not answer at LIVEKIT_URL.'
}

function reasonForStorage(error: unknown): string {
  const fault = error instanceof StorageError ? storageFault(error.message) : undefined
  return fault === undefined
    ? 'The storage does not answer.'
    : `${fault.charAt(0).toUpperCase()}${fault.slice(1)}.`
}

interface Probe {
  componentType: HealthCheck['componentType']
  /** The overall status when this check fails. */
  failed: HealthStatus
  ask: () => PromiseLike<unknown>
  reasonFor: (error: unknown) => string
}

async function probe(clock: Deps['clock'], probe: Probe): Promise<HealthCheck> {
  const startMs = performance.now()
  const outcome = await answerInTime(probe.ask)
  return {
    status: outcome.hasAnswered ? 'pass' : probe.failed,
    componentType: probe.componentType,
    observedValue: Math.round((performance.now() - startMs) * 10) / 10,
    observedUnit: 'ms',
    ...(!outcome.hasAnswered && { output: probe.reasonFor(outcome.error) }),
    time: clock().toISOString(),
  }
}

type Outcome = { hasAnswered: true } | { hasAnswered: false; error: unknown }

async function answerInTime(ask: () => PromiseLike<unknown>): Promise<Outcome> {
  const { promise: timeout, resolve } = Promise.withResolvers<Outcome>()
  const timer = setTimeout(
    () => resolve({ hasAnswered: false, error: undefined }),
    PROBE_TIMEOUT_MS,
  )
  const answer = (async () => await ask())().then(
    (): Outcome => ({ hasAnswered: true }),
    (error: unknown): Outcome => ({ hasAnswered: false, error }),
  )
  try {
    return await Promise.race([answer, timeout])
  } finally {
    clearTimeout(timer)
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
