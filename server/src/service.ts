import type { FastifyInstance } from 'fastify'
import { pino } from 'pino'
import { createApp } from './app.ts'
import type { Config } from './config.ts'
import { openDb } from './db/db.ts'
import { migrate } from './db/migrate.ts'
import type { Deps } from './deps.ts'
import { createPaging } from './http/paging.ts'
import { systemClock } from './lib/clock.ts'
import { createSecretBox } from './lib/secret-box.ts'
import { createLivekitMedia } from './media/livekit/livekit-media.ts'
import { ensureServiceKey } from './service-keys/ensure-service-key.ts'
import { createFolderStorage } from './storage/folder/folder-storage.ts'
import { createS3Storage } from './storage/s3/s3-storage.ts'
import { type Background, startBackground } from './worker.ts'

export type Plugin = (app: FastifyInstance) => Promise<void>

export interface ServiceExtras {
  /** Runs on the migrated database before anything is served; answers more routes. */
  prepare?: (deps: Deps) => Promise<readonly Plugin[]>
}

export interface Service {
  /** Stops serving and working, then lets go of the database. */
  close(): Promise<void>
}

/** Wires the adapters to the operations and starts what `config.role` asks for. */
export async function startService(config: Config, extras: ServiceExtras = {}): Promise<Service> {
  const deps = buildDeps(config)
  let background: Background | undefined
  let app: FastifyInstance | undefined

  async function close(): Promise<void> {
    await app?.close()
    await background?.stop()
    await deps.db.end({ timeout: 5 })
  }

  try {
    await migrate(deps.db)
    await ensureServiceKey(deps)
    const plugins = (await extras.prepare?.(deps)) ?? []
    if (config.role !== 'worker') {
      app = await createApp(deps, { plugins })
      await app.listen({ host: config.host, port: config.port })
    }
    if (config.role !== 'api') background = await startBackground(deps)
    return { close }
  } catch (error) {
    await close().catch(() => {})
    throw error
  }
}

function buildDeps(config: Config): Deps {
  return {
    db: openDb({
      url: config.databaseUrl,
      poolSize: config.databasePoolSize,
      applicationName: `interview-room-${config.role}`,
    }),
    media: createLivekitMedia(config.livekit),
    storage:
      config.storage.kind === 's3'
        ? createS3Storage(config.storage.s3)
        : createFolderStorage(config.storage.folder),
    clock: systemClock,
    secretBox: createSecretBox(config.secretsKey),
    paging: createPaging(config.secretsKey),
    config,
    log: pino({ level: config.logLevel }, pino.destination({ dest: 2, sync: true })),
  }
}
