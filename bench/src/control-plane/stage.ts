import path from 'node:path'
import { openDb } from '@interview-room/server/src/platform/db/db.ts'
import { createTenant } from '@interview-room/server/src/platform/tenants/create-tenant.ts'
import { issueApiKey } from '@interview-room/server/src/platform/tenants/issue-api-key.ts'
import { type Database, startDatabase } from '../database.ts'
import { type NodeProcess, startNode } from '../node-process.ts'
import { type ServiceProcess, startServiceProcess } from '../service-process.ts'
import { type BareSettings, bareEnvironment } from './open-bare-operations.ts'
import type { ProviderCall } from './provider-calls.ts'
import { startProviderStub } from './provider-stub.ts'
import { insertSeeds } from './seeds.ts'

export interface Tenant {
  id: string
  keyId: string
  apiKey: string
}

/** All parts of a bench run, started. */
export interface Stage {
  database: Database
  tenant: Tenant
  bare: BareSettings
  service: ServiceProcess
  raw: NodeProcess & { port: number }
  close(): Promise<void>
}

export async function setStage(call: ProviderCall): Promise<Stage> {
  const closers: (() => Promise<void>)[] = []
  async function close(): Promise<void> {
    for (const stop of closers.toReversed()) await stop()
  }
  try {
    const database = await startDatabase({ isDurable: true })
    closers.push(database.stop)
    const provider = await startProviderStub()
    closers.push(provider.stop)
    const service = await startServiceProcess(database, provider)
    closers.push(service.stop)
    const tenant = await prepareTenant(database.url)
    const bare = { databaseUrl: database.url, tenantId: tenant.id, provider, call }
    const raw = await startNode({
      command: ['bench/src/control-plane/raw-server.ts'],
      logFile: path.join(database.folder, 'raw.log'),
      env: bareEnvironment(bare),
    })
    closers.push(raw.stop)
    return {
      database,
      tenant,
      bare,
      service,
      close,
      raw: { ...raw, port: Number(raw.firstLine) },
    }
  } catch (error) {
    await close()
    throw error
  }
}

/** The service has already migrated the database. */
async function prepareTenant(url: string): Promise<Tenant> {
  const db = openDb({
    url,
    poolSize: 1,
    statementTimeoutMs: 60_000,
    applicationName: 'bench-seeds',
  })
  try {
    const { id } = await createTenant(db, { name: 'Bench' })
    const key = await issueApiKey(db, { tenantId: id, note: null })
    await insertSeeds(db, id)
    return { id, ...key }
  } finally {
    await db.end()
  }
}
