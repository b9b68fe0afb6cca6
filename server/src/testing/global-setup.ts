import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import type { TestProject } from 'vitest/node'
import { startEmbeddedPostgres } from '../local/postgres/embedded-postgres.ts'
import { identifier, openDb } from '../platform/db/db.ts'
import { migrate } from '../platform/db/migrate.ts'
import { TEMPLATE } from './database.ts'

/** One PostgreSQL for the whole run, with a migrated template that every test file copies. */
export default async function setUp(project: TestProject): Promise<() => Promise<void>> {
  const dataDir = await mkdtemp(path.join(tmpdir(), 'interview-room-test-'))
  const server = await startEmbeddedPostgres({ dataDir, isDurable: false })
  const tearDown = async () => {
    await server.stop()
    await rm(dataDir, { recursive: true, force: true })
  }
  try {
    await makeTemplate(server.url)
  } catch (error) {
    await tearDown()
    throw error
  }
  project.provide('postgresUrl', server.url)
  return tearDown
}

async function makeTemplate(serverUrl: string): Promise<void> {
  const admin = openDb({ url: serverUrl, poolSize: 1, applicationName: 'tests' })
  await admin`create database ${identifier(TEMPLATE)}`
  await admin.end()
  await migrate({ url: serverUrl.replace(/\/postgres$/, `/${TEMPLATE}`) })
}

declare module 'vitest' {
  interface ProvidedContext {
    postgresUrl: string
  }
}
