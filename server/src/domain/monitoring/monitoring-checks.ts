import { type Check, fail, type Outcome, warn } from '../../platform/checks/check.ts'
import type { Deps } from '../../platform/ports/deps.ts'
import {
  areNotificationsMissing,
  findProbe,
  findReconcilerDelaySec,
  listSealedSecrets,
  readDatabaseTime,
} from './store.ts'

/** Tolerated silence. While the process is up no longer than this, a worker may still be starting, too. */
const WORKER_SILENT_SEC = 60
const SKEW_MAX_MS = 2_000

type MonitoringDeps = Pick<Deps, 'db' | 'clock' | 'config' | 'secretBox'>

const when = { readiness: 'minute', needs: ['database:schema'] } as const

/** Checks of what the database knows. `clock` is this machine's. */
export const MONITORING_CHECKS: readonly Check<MonitoringDeps>[] = [
  { name: 'clock:skew', ask: checkClock, passes: "the clock is the database's", when },
  {
    name: 'secrets:key',
    ask: checkSecretsKey,
    passes: 'SECRETS_KEY decrypts the secrets',
    when: { ...when, needs: ['keys:service'] },
  },
  {
    name: 'worker:heartbeat',
    ask: checkWorker,
    passes: 'a worker takes the jobs that are due',
    when: { ...when, olderThanSec: WORKER_SILENT_SEC },
  },
  {
    name: 'livekit:notifications',
    ask: checkNotifications,
    passes: 'nobody is in a room of which LiveKit sent no notification',
    when,
  },
  {
    name: 'media:roundTrip',
    ask: checkProbe,
    passes: 'probes of media come through, or are off',
    when: {
      readiness: 'minute',
      doctor: false,
      skip: ({ config }) =>
        config.mediaProbeEverySec === 0 ? 'MEDIA_PROBE_EVERY_SEC is 0' : undefined,
    },
  },
]

/** One failure may be a busy machine's. */
const FAILURES_MAX = 1
/** Pauses after which a probe says nothing any more. */
const PROBES_KEPT = 4

async function checkProbe({ db, config }: MonitoringDeps): Promise<Outcome | undefined> {
  const probe = await findProbe(db, PROBES_KEPT * config.mediaProbeEverySec)
  if (probe === undefined || probe.failures <= FAILURES_MAX) return undefined
  return warn(
    `The last ${probe.failures} probes of media failed at ${probe.failedCheck}: npm run doctor says why.`,
  )
}

async function checkClock({ db, clock }: MonitoringDeps): Promise<Outcome | undefined> {
  const beforeMs = clock().getTime()
  const database = await readDatabaseTime(db)
  const afterMs = clock().getTime()
  const skewMs = (beforeMs + afterMs) / 2 - database.getTime()
  // The database may have read its clock at any moment in between.
  if (Math.abs(skewMs) - (afterMs - beforeMs) / 2 <= SKEW_MAX_MS) return undefined
  return {
    ...warn("The clock of this machine is off the database's by more than 2 s."),
    observedMs: Math.round(skewMs),
  }
}

async function checkSecretsKey({ db, secretBox }: MonitoringDeps): Promise<Outcome | undefined> {
  const sealed = await listSealedSecrets(db)
  if (sealed.every((secret) => canOpen(secretBox, secret))) return undefined
  return fail('SECRETS_KEY is not the key that the secrets in the database were encrypted with.')
}

export function canOpen(secretBox: Deps['secretBox'], sealed: Uint8Array): boolean {
  try {
    secretBox.open(sealed)
    return true
  } catch {
    return false
  }
}

async function checkNotifications({ db }: MonitoringDeps): Promise<Outcome | undefined> {
  if (!(await areNotificationsMissing(db))) return undefined
  return warn(
    'People are in rooms, and LiveKit has sent no notification of it: check its webhook.urls and webhook.api_key.',
  )
}

async function checkWorker({ db }: MonitoringDeps): Promise<Outcome | undefined> {
  const delaySec = await findReconcilerDelaySec(db)
  if (delaySec !== undefined && delaySec <= WORKER_SILENT_SEC) return undefined
  return warn('No worker has taken the jobs that are due: is one running (ROLE=all or worker)?')
}
