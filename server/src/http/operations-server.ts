import { once } from 'node:events'
import { createServer, type Server, type ServerResponse } from 'node:http'
import { type Health, liveness, type Readiness } from './health.ts'

export interface OperationsOptions {
  host: string
  port: number
  readiness: Readiness
}

export interface OperationsServer {
  /** Closes every connection at once. */
  close(): Promise<void>
}

/**
 * What operators and orchestrators ask of any process, workers included, on a port that the public
 * does not reach: `/health`, `/health/ready`. It answers until the very end of a shutdown.
 */
export async function startOperationsServer({
  host,
  port,
  readiness,
}: OperationsOptions): Promise<OperationsServer> {
  const pages: Record<string, (response: ServerResponse) => Promise<void>> = {
    '/health': async (response) => sendHealth(response, liveness()),
    '/health/ready': async (response) => sendHealth(response, await readiness()),
  }
  const server = createServer({ headersTimeout: 5_000, requestTimeout: 5_000 })
  server.on('request', ({ method, url = '' }, response) => {
    const page = pages[url.replace(/\?.*$/s, '')]
    if (page === undefined) return sendText(response, 404, 'not found\n')
    if (method !== 'GET' && method !== 'HEAD') return sendText(response, 405, 'use GET\n')
    page(response).catch(() => sendText(response, 500, 'failed\n'))
  })
  server.listen({ host, port })
  await once(server, 'listening')
  return { close: () => closeAtOnce(server) }
}

async function closeAtOnce(server: Server): Promise<void> {
  const closed = once(server, 'close')
  server.close()
  server.closeAllConnections()
  await closed
}

function sendHealth(response: ServerResponse, health: Health): void {
  const status = health.status === 'fail' ? 503 : 200
  response
    .writeHead(status, { 'content-type': 'application/health+json', 'cache-control': 'no-store' })
    .end(JSON.stringify(health))
}

function sendText(response: ServerResponse, status: number, text: string): void {
  if (response.headersSent) response.destroy()
  else response.writeHead(status, { 'content-type': 'text/plain' }).end(text)
}
