import { execFile } from 'node:child_process'
import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import path from 'node:path'
import { expect, test } from 'vitest'

const CHECK = path.resolve(import.meta.dirname, '../../../scripts/health-check.mjs')

/** The exit code of the health check of the image, whose process listens at this port. */
async function exitCodeAt(port: number): Promise<number> {
  const env = { ...process.env, HEALTH_PORT: String(port) }
  const [code] = await once(execFile(process.execPath, [CHECK], { env }), 'exit')
  return code as number
}

// A recorder answers 503 while LiveKit is away or its disk is full, and records on: a restart would end that.
test.each([200, 503])('a process that answers %i lives', async (status) => {
  const server = createServer((_request, response) => response.writeHead(status).end())
  await once(server.listen(0, '127.0.0.1'), 'listening')
  expect(await exitCodeAt((server.address() as AddressInfo).port)).toBe(0)
  server.close()
  await once(server, 'close')
})

test('a process that does not answer does not live', async () => {
  expect(await exitCodeAt(1)).toBe(1)
})
