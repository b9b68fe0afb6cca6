import type { Config } from '../../platform/config/config.ts'
import { FREE_MIN_BYTES, freeBytesIn } from '../../platform/lib/free-space.ts'
import { inTime } from '../../platform/lib/settles-within.ts'
import { findFfmpeg } from '../../platform/media-files/find-ffmpeg.ts'
import { withWorkspace } from '../../platform/media-files/workspace.ts'
import type { Deps } from '../../platform/ports/deps.ts'
import {
  areNotificationsMissing,
  findReconcilerDelaySec,
  listSealedSecrets,
  readDatabaseTime,
} from './store.ts'

/** A problem with the set-up of the service, in fixed words because they are published. */
export interface ConfigFinding {
  /** Name of the check in `/health/ready` and in the log. */
  check: string
  /** `fail` if requests cannot be served as promised. */
  status: 'warn' | 'fail'
  reason: string
  observedMs?: number
}

export type SelfChecks = () => Promise<readonly ConfigFinding[]>

const KEEP_MS = 60_000
/** How long results are kept while a check gets no answer. */
const KEEP_UNANSWERED_MS = 5_000
const TIMEOUT_MS = 2_000
/** Tolerated silence. While the process is up no longer than this, a worker may still be starting, too. */
const WORKER_SILENT_SEC = 60
const SKEW_MAX_MS = 2_000

type CheckDeps = Pick<Deps, 'db' | 'clock' | 'config' | 'secretBox'>

interface Check {
  name: string
  /** Null without a finding. */
  run(deps: CheckDeps): Promise<ConfigFinding | null>
}

/**
 * Looks for misconfiguration, at most once a minute. While a check gets no answer from the database, its earlier findings
 * hold and it runs again soon.
 */
export function createSelfChecks(deps: CheckDeps, startedAt = deps.clock()): SelfChecks {
  const { clock, config } = deps
  const fixed = findMisconfigured(config)
  const answers = new Map<Check, ConfigFinding | null>()
  let last: { untilMs: number; findings: Promise<readonly ConfigFinding[]> } | undefined

  async function look(): Promise<readonly ConfigFinding[]> {
    const upSec = (clock().getTime() - startedAt.getTime()) / 1000
    const checks = upSec > WORKER_SILENT_SEC ? ALL_CHECKS : CHECKS
    const areAnswered = await Promise.all(
      checks.map(async (check) => {
        const answer = await inTime(check.run(deps), TIMEOUT_MS)
        if (answer !== undefined) answers.set(check, answer)
        return answer !== undefined
      }),
    )
    if (last !== undefined && areAnswered.includes(false)) {
      last.untilMs = clock().getTime() + KEEP_UNANSWERED_MS
    }
    return [...fixed, ...[...answers.values()].filter((answer) => answer !== null)]
  }

  return () => {
    const nowMs = clock().getTime()
    if (last === undefined || nowMs >= last.untilMs || nowMs < last.untilMs - KEEP_MS) {
      last = { untilMs: nowMs + KEEP_MS, findings: look() }
    }
    return last.findings
  }
}

/** Runs every check once, for a command. `unanswered` names those that failed or exceeded the time limit. */
export async function checkOnce(
  deps: CheckDeps,
  timeoutMs: number,
): Promise<{ findings: ConfigFinding[]; unanswered: string[] }> {
  const findings = findMisconfigured(deps.config)
  const unanswered: string[] = []
  await Promise.all(
    ALL_CHECKS.map(async (check) => {
      const answer = await inTime(check.run(deps), timeoutMs)
      if (answer === undefined) unanswered.push(check.name)
      else if (answer !== null) findings.push(answer)
    }),
  )
  return { findings, unanswered }
}

const CHECKS: readonly Check[] = [
  { name: 'clock:skew', run: checkClock },
  { name: 'secrets:key', run: checkSecretsKey },
  { name: 'livekit:notifications', run: checkNotifications },
  { name: 'ffmpeg:program', run: checkFfmpeg },
  { name: 'machine:workDir', run: checkWorkDir },
  { name: 'machine:storageDir', run: checkStorageDir },
]
/** Includes the checks that need a while after a start. */
const ALL_CHECKS = [...CHECKS, { name: 'worker:heartbeat', run: checkWorker }]

/** Findings from the settings alone. */
function findMisconfigured({
  host,
  port,
  trustProxy,
  publicUrl,
  livekit,
}: Pick<Config, 'host' | 'port' | 'trustProxy' | 'publicUrl'> & {
  livekit: Pick<Config['livekit'], 'publicUrl'>
}): ConfigFinding[] {
  const site = new URL(publicUrl)
  const media = new URL(livekit.publicUrl)
  const findings: ConfigFinding[] = []
  if (!isLoopback(host) && isLoopback(site.hostname)) {
    findings.push({
      check: 'configuration:publicUrl',
      status: 'warn',
      reason: 'HOST listens for other machines, and links lead to localhost: set PUBLIC_URL.',
    })
  } else if (trustProxy && isLoopback(site.hostname) && site.port === String(port)) {
    findings.push({
      check: 'configuration:publicUrl',
      status: 'warn',
      reason: 'TRUST_PROXY names a proxy, and links lead past it to localhost: set PUBLIC_URL.',
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

async function checkClock({ db, clock }: CheckDeps): Promise<ConfigFinding | null> {
  const beforeMs = clock().getTime()
  const database = await readDatabaseTime(db)
  const afterMs = clock().getTime()
  const skewMs = (beforeMs + afterMs) / 2 - database.getTime()
  // The database may have read its clock at any moment in between.
  if (Math.abs(skewMs) - (afterMs - beforeMs) / 2 <= SKEW_MAX_MS) return null
  return {
    check: 'clock:skew',
    status: 'warn',
    reason: "The clock of this machine is off the database's by more than 2 s.",
    observedMs: Math.round(skewMs),
  }
}

async function checkSecretsKey({ db, secretBox }: CheckDeps): Promise<ConfigFinding | null> {
  const sealed = await listSealedSecrets(db)
  const isForeign = sealed.some((secret) => {
    try {
      secretBox.open(secret)
      return false
    } catch {
      return true
    }
  })
  if (!isForeign) return null
  return {
    check: 'secrets:key',
    status: 'fail',
    reason: 'SECRETS_KEY is not the key that the secrets in the database were encrypted with.',
  }
}

async function checkNotifications({ db }: CheckDeps): Promise<ConfigFinding | null> {
  if (!(await areNotificationsMissing(db))) return null
  return {
    check: 'livekit:notifications',
    status: 'warn',
    reason:
      'People are in rooms, and LiveKit has sent no notification of it: check its webhook.urls and webhook.api_key.',
  }
}

async function checkWorker({ db }: CheckDeps): Promise<ConfigFinding | null> {
  const delaySec = await findReconcilerDelaySec(db)
  if (delaySec !== undefined && delaySec <= WORKER_SILENT_SEC) return null
  return {
    check: 'worker:heartbeat',
    status: 'warn',
    reason: 'No worker has taken the jobs that are due: is one running (ROLE=all or worker)?',
  }
}

/** Only workers make files. */
async function checkFfmpeg({
  config: { role, ffmpegPath },
}: CheckDeps): Promise<ConfigFinding | null> {
  if (role === 'api') return null
  const isThere = await findFfmpeg(ffmpegPath).then(
    () => true,
    () => false,
  )
  if (isThere) return null
  return {
    check: 'ffmpeg:program',
    status: 'warn',
    reason:
      'There is no ffmpeg 5 or later with libx264 and aac, so recordings are not processed: install it, or set FFMPEG_PATH.',
  }
}

/** Only workers have temporary files. */
async function checkWorkDir({ config }: CheckDeps): Promise<ConfigFinding | null> {
  if (config.role === 'api') return null
  const reason = await workDirProblem(config.workDir)
  return reason === null ? null : { check: 'machine:workDir', status: 'warn', reason }
}

async function workDirProblem(workDir: string): Promise<string | null> {
  if ((await freeBytesIn(workDir)) < FREE_MIN_BYTES) {
    return 'Less than 2 GiB are free in WORK_DIR: without space recordings, trims and transcriptions wait, for a day at most.'
  }
  // A failed file system may report free space but accept no writes.
  const isWritable = await withWorkspace(workDir, async () => true).catch(() => false)
  if (isWritable) return null
  return 'WORK_DIR cannot be written: recordings, trims and transcriptions wait, for a day at most.'
}

/** A bucket does not report its free space, so only folders are checked. */
async function checkStorageDir({ config }: CheckDeps): Promise<ConfigFinding | null> {
  const { storage } = config
  if (storage.kind !== 'folder') return null
  // If the free space cannot be read, the folder cannot be written either, which the check of the storage finds.
  const freeBytes = await freeBytesIn(storage.folder).catch(() => Infinity)
  if (freeBytes >= FREE_MIN_BYTES) return null
  return {
    check: 'machine:storageDir',
    status: 'warn',
    reason:
      'Less than 2 GiB are free in STORAGE_DIR: without space uploads are refused and recordings wait.',
  }
}
