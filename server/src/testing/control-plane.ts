import type { FastifyInstance } from 'fastify'
import { afterAll, beforeAll } from 'vitest'
import { createApp } from '../app.ts'
import { noteLiveEngines } from '../domain/people/live-text-request.ts'
import type { Deps } from '../platform/ports/deps.ts'
import { createTestDatabase, type TestDatabase } from './database.ts'
import { createTestDeps } from './deps.ts'
import { createFakeMedia, type FakeMedia } from './fake-media.ts'
import { createFakeStorage, type FakeStorage } from './fake-storage.ts'
import { booking, createTenantClient, type TenantClient } from './tenant-client.ts'

/** The setup for a test of the control plane; filled before the first test of the file. */
export interface ControlPlane {
  database: TestDatabase
  deps: Deps
  media: FakeMedia
  storage: FakeStorage
  app: FastifyInstance
  tenant: TenantClient
  /** Another tenant, which must never see anything of `tenant`. */
  other: TenantClient
  /** The time of the service's clock. A test may change it. */
  now: Date
  /** Books a room; returns `data` of the answer. */
  // oxlint-disable-next-line typescript/no-explicit-any -- a body of the API, looked into by tests
  book(options?: Parameters<typeof booking>[0]): Promise<any>
}

/** One database and app for a test file, with two tenants. */
export function useControlPlane(overrides: Partial<Deps> = {}): ControlPlane {
  const plane = { now: new Date('2026-06-01T10:00:00.000Z') } as ControlPlane

  beforeAll(async () => {
    plane.database = await createTestDatabase()
    await noteLiveEngines(plane.database.db, ['local'])
    plane.media = createFakeMedia()
    plane.storage = createFakeStorage(() => plane.now)
    plane.deps = createTestDeps({
      db: plane.database.db,
      urgentDb: plane.database.urgentDb,
      media: plane.media,
      storage: plane.storage,
      clock: () => plane.now,
      ...overrides,
    })
    plane.app = await createApp(plane.deps)
    plane.tenant = await createTenantClient(plane.app, plane.database.db)
    plane.other = await createTenantClient(plane.app, plane.database.db)
    plane.book = async (options = {}) => {
      const answer = await plane.tenant.post('/rooms', booking({ now: plane.now, ...options }))
      if (answer.status !== 201) throw new Error(answer.text)
      return answer.data
    }
  })

  afterAll(async () => {
    await plane.app?.close()
    await plane.storage?.removeFiles()
    await plane.database?.drop()
  })

  return plane
}
