import { setTimeout as delay } from 'node:timers/promises'
import { DatabaseError } from 'pg'
import type { Logger } from 'pino'
import { ConfigError } from '../config/config.ts'
import { connectProblem } from './connect-problem.ts'
import { findMissing, migrate } from './migrate.ts'

const AGAIN_MS = 1_000
/** SQLSTATEs with which the database refuses us for good. Waiting does not help. */
const HOPELESS = ['28', '3D', '42', '25006', '08P01']
/** The reason for waiting is logged once in this many tries. */
const LOG_EVERY = 30

interface Preparation {
  config: { databaseUrl: string; migrateAtStart: boolean }
  log: Logger
}

/**
 * Waits until the database is reachable and has the schema of this release: migrates it, or, if `MIGRATE_AT_START` is off, waits
 * for the migration. Logs the reason for waiting. Throws if waiting cannot help, with a ConfigError if a setting can.
 */
export async function prepareDatabase(
  { config, log }: Preparation,
  stop?: AbortSignal,
): Promise<void> {
  for (let tries = 0; ; tries += 1) {
    const reason = await prepareOnce(config, log)
    if (reason === undefined) return
    if (tries % LOG_EVERY === 0) log.warn({ reason }, 'waiting for the database')
    await delay(AGAIN_MS, undefined, { signal: stop })
  }
}

/** The reason for waiting; undefined if the database is ready. */
async function prepareOnce(
  { databaseUrl: url, migrateAtStart }: Preparation['config'],
  log: Logger,
): Promise<string | undefined> {
  try {
    if (migrateAtStart) {
      await migrate({ url, onProgress: (message, about) => log.info(about, message) })
      return undefined
    }
    const missing = await findMissing(url)
    return missing.length === 0 ? undefined : `migrations are missing: ${missing.join(', ')}`
  } catch (error) {
    const problem = connectProblem(error, url)
    if (!isHopeless(error)) return problem ?? `DATABASE_URL: ${String(error)}`
    throw problem === undefined ? error : new ConfigError([problem])
  }
}

function isHopeless(error: unknown): boolean {
  if (error instanceof DatabaseError) {
    return HOPELESS.some((state) => error.code?.startsWith(state))
  }
  // Waiting helps with errors of the network, which have a code, and with a broken connection.
  return !(error instanceof Error) || !('code' in error || /connect|timeout/i.test(error.message))
}
