import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { connect, type Socket } from 'node:net'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { createTestDatabase, type TestDatabase } from './testing/database.ts'
import { type SpawnedService, spawnService } from './testing/service-process.ts'
import { waitFor } from './testing/wait-for.ts'

const CONNECTIONS = 1_000

const systemMax = Number(readFileSync('/proc/sys/net/core/somaxconn', 'utf8'))

let database: TestDatabase
let service: SpawnedService
const sockets: Socket[] = []

beforeAll(async () => {
  database = await createTestDatabase()
  service = await spawnService({ databaseUrl: database.url, role: 'api' })
  await waitFor(() => service.output().includes('serving'))
})

afterAll(async () => {
  for (const socket of sockets) socket.destroy()
  const ended = once(service.child, 'exit')
  service.child.kill('SIGKILL')
  await ended
  await database.drop()
})

test.skipIf(systemMax < CONNECTIONS)(
  'a process that does not get to accept connections keeps a thousand of them waiting',
  async () => {
    service.child.kill('SIGSTOP')
    let connected = 0
    for (let n = 0; n < CONNECTIONS; n += 1) {
      const socket = connect({ port: service.port, host: '127.0.0.1' })
      sockets.push(socket.once('connect', () => (connected += 1)))
    }
    await waitFor(() => connected === CONNECTIONS)
    expect(connected).toBe(CONNECTIONS)
  },
)
