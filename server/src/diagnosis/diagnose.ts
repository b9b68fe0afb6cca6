import { randomUUID } from 'node:crypto'
import { findFonts } from '@interview-room/composer/fonts.ts'
import { PROCESS_CHECKS } from '../api/operations/health.ts'
import { type Check, type CheckResult, runChecks } from '../platform/checks/check.ts'
import { systemClock } from '../platform/lib/clock.ts'
import type { Deps } from '../platform/ports/deps.ts'
import { ADDRESS_CHECKS } from './address-checks.ts'
import { DATABASE_CHECKS } from './database-checks.ts'
import type { Diagnosis } from './diagnosis.ts'
import { LIVEKIT_CHECKS } from './livekit-checks.ts'
import { WORKER_CHECKS } from './machine-checks.ts'
import { MEDIA_CHECKS } from './media-checks.ts'
import { RECORDING_CHECKS } from './recording-checks.ts'
import { newKey, STORAGE_CHECKS } from './storage-checks.ts'
import { TRACING_CHECK } from './tracing-checks.ts'

/** Every check of the service: those of a process, and those that only a command may run. */
export const CHECKS: readonly Check<Diagnosis>[] = [
  ...DATABASE_CHECKS,
  ...PROCESS_CHECKS,
  ...WORKER_CHECKS,
  ...ADDRESS_CHECKS,
  ...STORAGE_CHECKS,
  ...LIVEKIT_CHECKS,
  ...MEDIA_CHECKS,
  ...RECORDING_CHECKS,
  TRACING_CHECK,
]

/** Longer than the slowest check waits for its parts. */
const CHECK_MS = 45_000
/** LiveKit repeats refused notifications for some seconds. */
const NOTIFIED_MS = 12_000
const RECORD_MS = 3_000

export interface DiagnosisOptions {
  /** How long LiveKit's notification is waited for, in milliseconds; 12 s unless given. */
  notifiedMs?: number | undefined
  /** The fonts of this machine unless given. */
  findFonts?: Diagnosis['findFonts']
  /** Time limit of each check, in milliseconds; 45 s unless given. */
  checkMs?: number
  /** Factor of the time limits for media; 1 unless given. */
  patience?: number | undefined
}

type DoctorDeps = Pick<
  Deps,
  | 'db'
  | 'urgentDb'
  | 'media'
  | 'storage'
  | 'config'
  | 'clock'
  | 'secretBox'
  | 'serviceKeys'
  | 'metrics'
>

/**
 * Checks every part that an installation needs. Leaves nothing behind but notifications of its own media room, which the
 * service deletes after a week.
 */
export async function diagnose(
  deps: DoctorDeps,
  options: DiagnosisOptions,
): Promise<CheckResult[]> {
  const { checkMs = CHECK_MS } = options
  const { tracing } = deps.config
  const checks = CHECKS.filter(
    (check) => check.when?.doctor !== false && (check !== TRACING_CHECK || tracing !== undefined),
  )
  return withDiagnosis(deps, options, (given) => runChecks(checks, given, checkMs))
}

/** Runs checks that share a media room, clients and objects, and removes these. */
export async function withDiagnosis<T>(
  deps: DoctorDeps,
  { notifiedMs = NOTIFIED_MS, patience = 1, findFonts: find = findFonts }: DiagnosisOptions,
  run: (given: Diagnosis) => Promise<T>,
): Promise<T> {
  const { media, storage } = deps
  const given: Diagnosis = {
    ...deps,
    clock: systemClock,
    databaseClock: deps.clock,
    notifiedMs,
    findFonts: find,
    room: `doctor-${randomUUID()}`,
    patience,
    recordMs: RECORD_MS,
    clients: [],
    egresses: [],
    stored: newKey(),
    uploaded: newKey(),
  }
  try {
    return await run(given)
  } finally {
    await Promise.allSettled([
      ...given.clients.map((client) => client.leave()),
      media.deleteRoom(given.room),
      storage.delete([given.stored, given.uploaded]),
    ])
  }
}
