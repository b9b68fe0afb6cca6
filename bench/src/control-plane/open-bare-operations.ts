import { type Db, openDb } from '@interview-room/server/src/db/db.ts'
import { createLivekitMedia } from '@interview-room/server/src/media/livekit/livekit-media.ts'
import type { MediaProvider } from '../service-process.ts'
import { type BareOperations, bareOperations } from './bare-operations.ts'

/** As many as the service has by default. */
const POOL_SIZE = 16

export interface BareSettings {
  databaseUrl: string
  tenantId: string
  provider: MediaProvider
}

type Environment = Record<string, string | undefined>

/** What a process that opens them needs to be told. */
export function bareEnvironment(settings: BareSettings): Record<string, string> {
  return { BARE_SETTINGS: JSON.stringify(settings) }
}

/** A pool like the service's. */
export function openBareDb(env: Environment): { db: Db } & BareSettings {
  const settings = JSON.parse(env['BARE_SETTINGS'] ?? '') as BareSettings
  const { databaseUrl } = settings
  const db = openDb({ url: databaseUrl, poolSize: POOL_SIZE, applicationName: 'bench' })
  return { db, ...settings }
}

/** The operations on it, with the service's adapter of the provider. */
export function openBareOperations(env: Environment): BareOperations {
  const { db, tenantId, provider } = openBareDb(env)
  const { url, apiKey, apiSecret } = provider
  const media = createLivekitMedia({
    apiUrl: url,
    publicUrl: url,
    apiKey,
    apiSecret,
    inspectorUrl: undefined,
  })
  return bareOperations({ db, provide: (spec) => media.ensureRoom(spec) }, tenantId)
}
