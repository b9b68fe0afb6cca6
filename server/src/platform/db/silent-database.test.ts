import { once } from 'node:events'
import { type AddressInfo, createServer, type Server, type Socket } from 'node:net'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { connectProblem } from './connect-problem.ts'
import { findMissing, migrate } from './migrate.ts'

/** Authentication succeeds; ready for a statement. */
const WELCOME = Buffer.from('R\0\0\0\x08\0\0\0\0Z\0\0\0\x05I', 'latin1')

let server: Server
let url: string
const sockets = new Set<Socket>()

// As a pooler whose PostgreSQL is away, or a PostgreSQL whose disk hangs.
beforeAll(async () => {
  server = createServer((socket) => {
    sockets.add(socket)
    socket.on('error', () => {})
    socket.once('data', () => socket.write(WELCOME))
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  url = `postgres://user@127.0.0.1:${port}/rooms`
})

afterAll(() => {
  for (const socket of sockets) socket.destroy()
  server.close()
})

test.each([
  ['a migration', () => migrate({ url })],
  ['a look for migrations', () => findMissing(url)],
])(
  '%s ends where a database lets in and answers nothing, and it is said',
  { timeout: 20_000 },
  async (_what, ask) => {
    const error = await ask().then(
      () => undefined,
      (reason: unknown) => reason,
    )
    expect(connectProblem(error, url)).toMatch(/where DATABASE_URL leads, does not answer/)
  },
)
