import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { MediaProvider } from './service-process.ts'

export interface ProviderStub extends MediaProvider {
  stop: () => Promise<void>
}

/** Answers every CreateRoom immediately, so that only the caller's part of the call is measured. */
export async function startProviderStub(): Promise<ProviderStub> {
  const body = JSON.stringify({ sid: 'RM_bench', empty_timeout: 300, departure_timeout: 300 })
  const server = createServer((request, response) => {
    request.resume().once('end', () => {
      response.writeHead(200, {
        'content-type': 'application/json',
        'content-length': Buffer.byteLength(body),
      })
      response.end(body)
    })
  }).listen(0, '127.0.0.1')
  // A caller may use an idle connection at the moment in which it ends.
  server.keepAliveTimeout = 0
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  return {
    url: `http://127.0.0.1:${port}`,
    apiKey: 'benchkey',
    apiSecret: randomBytes(32).toString('hex'),
    stop: async () => {
      const closed = once(server, 'close')
      server.close()
      server.closeAllConnections()
      await closed
    },
  }
}
