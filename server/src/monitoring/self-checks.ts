import type { Config } from '../config.ts'
import type { Deps } from '../deps.ts'
import { inTime } from '../lib/in-time.ts'
import {
  areNotificationsMissing,
  findReconcilerDelaySec,
  listSealedSecrets,
  readDatabaseTime,
} from './store.ts'

/** What is wrong with how the service was set up, in fixed words: they are published. */
export interface Finding {
  /** Name of the check in `/health/ready` and in the log. */
  check: string
  /** `fail` where requests cannot be served as promised. */
  status: 'warn' | 'fail'
  reason: string
  observedMs?: number
}

export type SelfChecks = () => Promise<readonly Finding[]>

const KEEP_MS = 60_000
const TIMEOUT_MS = 2_000
/** As long as a process is up no longer than this, a worker may be about to start, too. */
const WORKER_SILENT_SEC = 60
const SKEW_MAX_MS = 2_000

type CheckDeps = Pick<Deps, 'db' | 'clock' | 'config' | 'secretBox'>

/**
 * Looks for misconfiguration, at most once a minute however often it is asked. What cannot be found
 * out, because the database does not answer, is no finding.
 */
export function createSelfChecks(deps: CheckDeps): SelfChecks {
  const { clock, config } = deps
  const startedAt = clock()
  const fixed = findMisconfigured(config)
  let last: { atMs: number; findings: Promise<readonly Finding[]> } | undefined

  async function look(): Promise<readonly Finding[]> {
    const upSec = (clock().getTime() - startedAt.getTime()) / 1000
    const checks = [
      checkClock(deps),
      checkSecretsKey(deps),
      checkNotifications(deps),
      ...(upSec > WORKER_SILENT_SEC ? [checkWorker(deps)] : []),
    ]
    const found = await Promise.all(checks.map((check) => inTime(check, TIMEOUT_MS)))
    return [...fixed, ...found.filter((finding) => finding !== undefined)]
  }

  return () => {
    const nowMs = clock().getTime()
    if (last === undefined || Math.abs(nowMs - last.atMs) >= KEEP_MS) {
      last = { atMs: nowMs, findings: look() }
    }
    return last.findings
  }
}

/** What the settings alone show. */
function findMisconfigured({
  host,
  publicUrl,
  livekit,
}: Pick<Config, 'host' | 'publicUrl'> & {
  livekit: Pick<Config['livekit'], 'publicUrl'>
}): Finding[] {
  const site = new URL(publicUrl)
  const media = new URL(livekit.publicUrl)
  const findings: Finding[] = []
  if (!isLoopback(host) && isLoopback(site.hostname)) {
    findings.push({
      check: 'configuration:publicUrl',
      status: 'warn',
      reason: 'HOST listens for other machines, and links lead to localhost: set PUBLIC_URL.',
    })
  }
  if (site.protocol === 'https:' && media.protocol === 'ws:') {
    findings.push({
      check: 'configuration:mediaUrl',
      status: 'warn',
      reason:
        'Browsers refuse ws:// media in https:// pages: set LIVEKIT_PUBLIC_URL to a wss:// address.',
    })
  } else if (!isLoopback(site.hostname) && isLoopback(media.hostname)) {
    findings.push({
      check: 'configuration:mediaUrl',
      status: 'warn',
      reason: 'Browsers are sent to localhost for media: set LIVEKIT_PUBLIC_URL.',
    })
  }
  return findings
}

function isLoopback(host: string): boolean {
  return host === 'localhost' || host === '::1' || host === '[::1]' || host.startsWith('127.')
}

async function checkClock({ db, clock }: CheckDeps): Promise<Finding | undefined> {
  const beforeMs = clock().getTime()
  const database = await readDatabaseTime(db)
  const afterMs = clock().getTime()
  const skewMs = (beforeMs + afterMs) / 2 - database.getTime()
  // The database may have read its clock at any moment in between.
  if (Math.abs(skewMs) - (afterMs - beforeMs) / 2 <= SKEW_MAX_MS) return undefined
  return {
    check: 'clock:skew',
    status: 'warn',
    reason: "The clock of this machine is off the database's by more than 2 s.",
    observedMs: Math.round(skewMs),
  }
}

async function checkSecretsKey({ db, secretBox }: CheckDeps): Promise<Finding | undefined> {
  const sealed = await listSealedSecrets(db)
  const isForeign = sealed.some((secret) => {
    try {
      secretBox.open(secret)
      return false
    } catch {
      return true
    }
  })
  if (!isForeign) return undefined
  return {
    check: 'secrets:key',
    status: 'fail',
    reason: 'SECRETS_KEY is not the key that the secrets in the database were encrypted with.',
  }
}

async function checkNotifications({ db }: CheckDeps): Promise<Finding | undefined> {
  if (!(await areNotificationsMissing(db))) return undefined
  return {
    check: 'livekit:notifications',
    status: 'warn',
    reason:
      'People are in rooms, and LiveKit has sent no notification of it: check its webhook.urls and webhook.api_key.',
  }
}

async function checkWorker({ db }: CheckDeps): Promise<Finding | undefined> {
  const delaySec = await findReconcilerDelaySec(db)
  if (delaySec !== undefined && delaySec <= WORKER_SILENT_SEC) return undefined
  return {
    check: 'worker:heartbeat',
    status: 'warn',
    reason: 'No worker has taken the jobs that are due: is one running (ROLE=all or worker)?',
  }
}
