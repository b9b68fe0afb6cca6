import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import type { TestProject } from 'vitest/node'
import { openDb } from '../db/db.ts'
import { migrate } from '../db/migrate.ts'
import { startEmbeddedPostgres } from '../local/postgres/embedded-postgres.ts'
import { TEMPLATE } from './database.ts'

/** One PostgreSQL for the whole run, with a migrated template that every test file copies. */
export default async function setUp(project: TestProject): Promise<() => Promise<void>> {
  const dataDir = await mkdtemp(path.join(tmpdir(), 'interview-room-test-'))
  const server = await startEmbeddedPostgres({ dataDir, isDurable: false })
  const admin = openDb({ url: server.url, poolSize: 1, applicationName: 'tests' })
  await admin`create database ${admin(TEMPLATE)}`
  await admin.end()

  const template = openDb({
    url: server.url.replace(/\/postgres$/, `/${TEMPLATE}`),
    poolSize: 2,
    applicationName: 'tests',
  })
  await migrate(template)
  await template.end()
  project.provide('postgresUrl', server.url)

  return async () => {
    await server.stop()
    await rm(dataDir, { recursive: true, force: true })
  }
}

declare module 'vitest' {
  interface ProvidedContext {
    postgresUrl: string
  }
}
