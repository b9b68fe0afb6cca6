import { once } from 'node:events'
import { mkdtemp, rm } from 'node:fs/promises'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { verifyWebhook, type WebhookEvent } from '@interview-room/sdk/webhook.ts'
import type { FastifyInstance } from 'fastify'
import { afterAll, beforeAll } from 'vitest'
import { fileRoutes } from '../api/files/file-routes.ts'
import { createApp } from '../app.ts'
import { takeSimulated } from '../domain/notifications/take-notification.ts'
import { loadConfig } from '../platform/config/config.ts'
import { systemClock } from '../platform/lib/clock.ts'
import type { Deps } from '../platform/ports/deps.ts'
import { createSimulatedMedia } from '../platform/sandbox/simulated-media.ts'
import { createSwitchedMedia } from '../platform/sandbox/switched-media.ts'
import { ensureServiceKey } from '../platform/service-keys/ensure-service-key.ts'
import { createTestFolder } from '../platform/storage/testing/test-folder.ts'
import { startBackground } from '../worker.ts'
import { createTestDatabase, type TestDatabase } from './database.ts'
import { createTestDeps, TEST_ENVIRONMENT } from './deps.ts'
import { createFakeMedia, type FakeMedia } from './fake-media.ts'
import { createTenantClient, type TenantClient } from './tenant-client.ts'

/** A service with its workers, a sandbox tenant and a real one, whose provider is the tests' fake. */
export interface SandboxPlane {
  database: TestDatabase
  deps: Deps
  /** The media provider of real tenants. */
  real: FakeMedia
  app: FastifyInstance
  /** The origin of the app, for programs. */
  origin: string
  sandbox: TenantClient
  tenant: TenantClient
  /** Verified webhooks of the sandbox, in the order of their arrival. */
  received: WebhookEvent[]
  /** The folder of the storage. */
  folder: string
}

/** Without workers if a test starts its own. */
export function useSandbox({ hasWorkers = true } = {}): SandboxPlane {
  const plane = { received: [] as WebhookEvent[] } as SandboxPlane
  const stops: (() => Promise<unknown>)[] = []

  beforeAll(async () => {
    plane.database = await createTestDatabase()
    stops.push(() => plane.database.drop())
    const folder = await mkdtemp(path.join(tmpdir(), 'sandbox-'))
    stops.push(() => rm(folder, { recursive: true, force: true }))
    plane.folder = folder
    const files = createTestFolder(folder, TEST_CONFIG)
    plane.deps = depsIn(plane, files)
    await ensureServiceKey(plane.deps)
    plane.app = await createApp(plane.deps, { plugins: [fileRoutes({ folder, ...files })] })
    plane.origin = await plane.app.listen({ host: '127.0.0.1', port: 0 })
    stops.push(() => plane.app.close())
    const { db } = plane.database
    plane.sandbox = await createTenantClient(plane.app, db, { isSandbox: true })
    plane.tenant = await createTenantClient(plane.app, db)
    if (hasWorkers) {
      const background = await startBackground(plane.deps)
      stops.push(() => background.stop())
    }
    const receiver = await receive(plane)
    stops.push(async () => receiver.close().closeAllConnections())
  })

  afterAll(async () => {
    for (const stop of stops.toReversed()) await stop()
  })

  return plane
}

const TEST_CONFIG = loadConfig(TEST_ENVIRONMENT)

function depsIn(plane: SandboxPlane, { storage }: Pick<Deps, 'storage'>): Deps {
  const { db, urgentDb } = plane.database
  plane.real = createFakeMedia()
  const simulated = createSimulatedMedia({ db, storage, clock: systemClock, notify: takeSimulated })
  const media = createSwitchedMedia(db, { real: plane.real, simulated })
  return createTestDeps({ db, urgentDb, storage, media })
}

async function receive(plane: SandboxPlane): Promise<Server> {
  let secret = ''
  const server = createServer((request, response) => {
    const chunks: Buffer[] = []
    request.on('data', (chunk: Buffer) => chunks.push(chunk))
    request.on('end', () => {
      const body = Buffer.concat(chunks).toString()
      plane.received.push(verifyWebhook({ body, headers: request.headers, secret }))
      response.writeHead(204).end()
    })
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  const endpoint = await plane.sandbox.post('/webhook-endpoints', {
    url: `http://127.0.0.1:${port}/hooks`,
  })
  secret = endpoint.data.secret
  return server
}
