import { writeFileSync } from 'node:fs'
import path from 'node:path'
import { type Db, openDb } from '@interview-room/server/src/platform/db/db.ts'
import { startDatabase } from '../database.ts'
import { startNode } from '../node-process.ts'
import { startProviderStub } from '../provider-stub.ts'
import { startServiceProcess } from '../service-process.ts'
import { type BenchTenant, makeTenant } from '../tenant.ts'
import type { Floor } from './floor.ts'
import { allOperations, type Operation } from './operations.ts'
import { bringPeople, openEntries } from './people.ts'
import type { RawSettings } from './raw-server.ts'
import { openRecorder } from './record-floors.ts'
import { insertSeeds } from './seeds.ts'

/** A process that is measured. */
interface Side {
  pid: number
  port: number
}

/** The service and its floor, with the data that both need. */
export interface Stage {
  operations: readonly Operation[]
  floors: Readonly<Record<string, Floor>>
  service: Side
  raw: Side
}

/** `cleanup` ends everything that was started. */
export async function setStage(cleanup: AsyncDisposableStack): Promise<Stage> {
  const database = await startDatabase({ isDurable: true })
  cleanup.defer(database.stop)
  const provider = await startProviderStub()
  cleanup.defer(provider.stop)
  // One moderator sends in a second what people send in a minute.
  const settings = { CHAT_MESSAGES_PER_MIN: '100000' }
  const service = await startServiceProcess(database, provider, settings)
  cleanup.defer(service.stop)
  const tenant = await makeTenant(database.url, service.port)
  await withDb(database.url, (db) => insertSeeds(db, tenant.id))
  const operations = allOperations(tenant, await bringPeople(tenant, service.port))
  await withDb(database.url, (db) => openEntries(db, 'moderator'))
  const { secretsKey } = service
  const floors = await recordFloors({ databaseUrl: database.url, secretsKey, tenant }, operations)
  const floorsFile = path.join(database.folder, 'floors.json')
  writeFileSync(floorsFile, JSON.stringify(floors))
  const rawSettings: RawSettings = {
    databaseUrl: database.url,
    providerUrl: provider.url,
    floorsFile,
  }
  const raw = await startNode({
    command: ['bench/src/requests/raw-server.ts'],
    logFile: path.join(database.folder, 'raw.log'),
    env: { RAW_SETTINGS: JSON.stringify(rawSettings) },
  })
  cleanup.defer(raw.stop)
  return { operations, floors, service, raw: { pid: raw.pid, port: Number(raw.firstLine) } }
}

async function recordFloors(
  {
    tenant,
    ...recorded
  }: { databaseUrl: string; secretsKey: Buffer; tenant: Pick<BenchTenant, 'id' | 'apiKey'> },
  operations: readonly Operation[],
): Promise<Record<string, Floor>> {
  const constant = [tenant.id, tenant.apiKey.split('.')[0] ?? '']
  const recorder = await openRecorder({ ...recorded, constant })
  const floors: Record<string, Floor> = {}
  for (const operation of operations) floors[operation.name] = await recorder.record(operation)
  await recorder.close()
  return floors
}

/** A connection for data that takes longer to insert than a request may. */
async function withDb(url: string, work: (db: Db) => Promise<void>): Promise<void> {
  const db = openDb({
    url,
    poolSize: 1,
    statementTimeoutMs: 60_000,
    applicationName: 'bench-seeds',
  })
  try {
    await work(db)
  } finally {
    await db.end()
  }
}
