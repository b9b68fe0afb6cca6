import { type Db, openDb } from '@interview-room/server/src/platform/db/db.ts'
import type { MediaProvider } from '../service-process.ts'
import { type BareOperations, bareOperations } from './bare-operations.ts'
import { type ProviderCall, providerCall } from './provider-calls.ts'

/** The service's default pool size. */
const POOL_SIZE = 16

export interface BareSettings {
  databaseUrl: string
  tenantId: string
  provider: MediaProvider
  call: ProviderCall
}

type Environment = Record<string, string | undefined>

/** The environment of a process that opens the bare operations. */
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

/** The bare operations on a pool, including the calls of the provider. */
export function openBareOperations(env: Environment): BareOperations {
  const { db, tenantId, provider, call } = openBareDb(env)
  return bareOperations({ db, provide: providerCall(call, provider) }, tenantId)
}
