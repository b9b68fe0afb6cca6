import type { Fonts } from '@interview-room/composer/fonts.ts'
import type { Deps } from '../platform/ports/deps.ts'
import { checkAddress } from './address-checks.ts'
import type { CheckResult } from './check-result.ts'
import { checkDatabase } from './database-checks.ts'
import { checkLivekit } from './livekit-checks.ts'
import { checkFonts, checkOpenFiles, checkWorkDir } from './machine-checks.ts'
import { checkReadiness } from './readiness-checks.ts'
import { checkStorage } from './storage-checks.ts'
import { checkTracing } from './tracing-checks.ts'

/** LiveKit repeats refused notifications for some seconds. */
const NOTIFIED_MS = 12_000

export interface DiagnosisOptions {
  /** How long LiveKit's notification is waited for, in milliseconds; 12 s unless given. */
  notifiedMs?: number | undefined
  /** The fonts of this machine unless given. */
  findFonts?: () => Fonts
}

type DoctorDeps = Pick<
  Deps,
  'db' | 'media' | 'storage' | 'config' | 'clock' | 'secretBox' | 'serviceKeys'
>

const isOk = ({ result }: CheckResult): boolean => result === 'ok'

/**
 * Checks every part that an installation needs, in the order in which they depend on each other. Leaves
 * nothing behind but notifications of its own media room, which the service deletes after a week.
 */
export async function diagnose(
  deps: DoctorDeps,
  { notifiedMs = NOTIFIED_MS, findFonts }: DiagnosisOptions = {},
): Promise<CheckResult[]> {
  const database = await checkDatabase(deps)
  const readiness = await checkReadiness(deps, { hasDatabase: database.every(isOk) })
  // Their rows can be read with whatever key.
  const hasDatabase = database.filter(({ check }) => check.startsWith('database:')).every(isOk)
  const address = await checkAddress(deps, { hasDatabase })
  const storage = await checkStorage(deps)
  const livekit = await checkLivekit(deps, { hasDatabase, notifiedMs })
  return [
    ...database,
    ...readiness,
    await checkWorkDir(deps.config),
    await checkFonts(deps.config, findFonts),
    await checkOpenFiles(),
    ...address,
    ...storage,
    ...livekit,
    ...(await checkTracing(deps.config)),
  ]
}
