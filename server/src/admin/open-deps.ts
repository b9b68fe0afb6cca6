import { readFileSync } from 'node:fs'
import path from 'node:path'
import { pino } from 'pino'
import { openStorage } from '../open-storage.ts'
import { type Config, loadConfig } from '../platform/config/config.ts'
import { createDatabaseClock } from '../platform/db/database-clock.ts'
import { openDb } from '../platform/db/db.ts'
import { type Clock, systemClock } from '../platform/lib/clock.ts'
import { createSecretBox } from '../platform/lib/secret-box.ts'
import { createServiceKeys } from '../platform/service-keys/service-keys.ts'
import { createPublishedKeys } from '../platform/tenants/published-keys.ts'
import { CommandError } from './command-error.ts'
import type { OpenedDeps } from './run-admin.ts'

interface RuntimeFile {
  public_url: string
  database_url: string
  secrets_key: string
  /** The value of the setting. */
  allow_private_targets: string
  livekit: { url: string; egress_url: string; public_url: string; key: string; secret: string }
}

export type Environment = Record<string, string | undefined>

/** Opens the database that `DATABASE_URL` names, else that of the service running on `DATA_DIR`. */
export function openAdminDeps(env: Environment, system: Clock = systemClock): OpenedDeps {
  const config = loadAdminConfig(env)
  const db = openDb({
    url: config.databaseUrl,
    poolSize: 2,
    // `check` reads whole tables.
    statementTimeoutMs: 60_000,
    applicationName: 'interview-room-admin',
  })
  const secretBox = createSecretBox(config.secretsKey, config.previousSecretsKey)
  const databaseClock = createDatabaseClock(system)
  const clock = databaseClock.now
  const serviceKeys = createServiceKeys({ urgentDb: db, secretBox, clock })
  const { storage } = openStorage(config, clock)
  const publishedKeys = createPublishedKeys({ db, clock, config, log: pino({ level: 'silent' }) })
  return {
    deps: { db, storage, secretBox, serviceKeys, publishedKeys, config, clock },
    prepare: () => databaseClock.measure(db),
    close: () => db.end(),
  }
}

/** This command does not use media, so its settings may be missing. */
function loadAdminConfig(env: Environment): Config {
  return loadConfig({
    LIVEKIT_URL: 'http://unused',
    LIVEKIT_API_KEY: 'unused',
    LIVEKIT_API_SECRET: 'unused',
    ...environmentOf(env),
  })
}

/** The settings as given, and without DATABASE_URL those of the service that runs on DATA_DIR. */
export function environmentOf(env: Environment): Environment {
  if (env['DATABASE_URL']) return env
  return { ...env, ...runningService(path.resolve(env['DATA_DIR'] || './data')) }
}

function runningService(dataDir: string): Record<string, string> {
  try {
    const file = readFileSync(path.join(dataDir, 'runtime.json'), 'utf8')
    const runtime = JSON.parse(file) as RuntimeFile
    return {
      PUBLIC_URL: runtime.public_url,
      DATABASE_URL: runtime.database_url,
      SECRETS_KEY: runtime.secrets_key,
      WEBHOOKS_ALLOW_PRIVATE_TARGETS: runtime.allow_private_targets,
      LIVEKIT_URL: runtime.livekit.url,
      LIVEKIT_EGRESS_URL: runtime.livekit.egress_url,
      LIVEKIT_PUBLIC_URL: runtime.livekit.public_url,
      LIVEKIT_API_KEY: runtime.livekit.key,
      LIVEKIT_API_SECRET: runtime.livekit.secret,
    }
  } catch {
    throw new CommandError(
      `no service runs on ${dataDir}: start it, or set DATA_DIR, or DATABASE_URL and SECRETS_KEY`,
    )
  }
}
