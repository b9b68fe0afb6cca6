import packageJson from '../../package.json' with { type: 'json' }
import type { Deps } from '../deps.ts'
import { checkPages } from './pages.ts'

type HealthStatus = 'pass' | 'warn' | 'fail'

interface HealthCheck {
  status: HealthStatus
  componentType: 'datastore' | 'component'
  observedValue: number
  observedUnit: 'ms'
  time: string
}

/** Body of `application/health+json` (draft-inadarei-api-health-check). */
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

type HealthDeps = Pick<Deps, 'db' | 'media' | 'storage' | 'clock' | 'config'>

/**
 * Answers whether requests can be served: `fail` without the database or the pages, `warn`
 * without media or storage. Asked at most once a second, however many ask here.
 */
export function createReadiness(deps: HealthDeps): () => Promise<Health> {
  let last: { atMs: number; health: Promise<Health> } | undefined
  return () => {
    const nowMs = deps.clock().getTime()
    if (last === undefined || Math.abs(nowMs - last.atMs) >= KEEP_MS) {
      last = { atMs: nowMs, health: readiness(deps) }
    }
    return last.health
  }
}

async function readiness(deps: HealthDeps): Promise<Health> {
  const { db, media, storage, clock } = deps
  const [database, mediaCheck, storageCheck, pages] = await Promise.all([
    probe(clock, { componentType: 'datastore', failed: 'fail', ask: () => db`select 1` }),
    probe(clock, { componentType: 'component', failed: 'warn', ask: () => media.check() }),
    probe(clock, { componentType: 'component', failed: 'warn', ask: () => storage.check() }),
    probe(clock, { componentType: 'component', failed: 'fail', ask: () => checkPages(deps) }),
  ])
  const checks = {
    'database:responseTime': [database],
    'media:responseTime': [mediaCheck],
    'storage:responseTime': [storageCheck],
    'pages:responseTime': [pages],
  }
  return { ...liveness(), status: worstOf([database, mediaCheck, storageCheck, pages]), checks }
}

interface Probe {
  componentType: HealthCheck['componentType']
  /** What a failure means for the whole. */
  failed: HealthStatus
  ask: () => PromiseLike<unknown>
}

async function probe(clock: Deps['clock'], probe: Probe): Promise<HealthCheck> {
  const startMs = performance.now()
  const hasAnswered = await answersInTime(probe.ask)
  return {
    status: hasAnswered ? 'pass' : probe.failed,
    componentType: probe.componentType,
    observedValue: Math.round((performance.now() - startMs) * 10) / 10,
    observedUnit: 'ms',
    time: clock().toISOString(),
  }
}

/** Why a probe failed is for the dependency's own logs; the answer is public. */
async function answersInTime(ask: () => PromiseLike<unknown>): Promise<boolean> {
  const { promise: timeout, resolve } = Promise.withResolvers<boolean>()
  const timer = setTimeout(() => resolve(false), PROBE_TIMEOUT_MS)
  const answer = (async () => await ask())().then(
    () => true,
    () => false,
  )
  try {
    return await Promise.race([answer, timeout])
  } finally {
    clearTimeout(timer)
  }
}

function worstOf(checks: readonly HealthCheck[]): HealthStatus {
  const statuses = checks.map((check) => check.status)
  if (statuses.includes('fail')) return 'fail'
  return statuses.includes('warn') ? 'warn' : 'pass'
}
