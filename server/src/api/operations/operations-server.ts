import { once } from 'node:events'
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { Scrape } from '../../domain/monitoring/scrape.ts'
import { type Health, liveness, type Readiness } from './health.ts'
import { mayReadMetrics } from './metrics-routes.ts'

export interface OperationsOptions {
  host: string
  port: number
  readiness: Readiness
  scrape: Scrape
  /** Required from readers of the metrics, where it is set. */
  metricsToken: string | undefined
}

export interface OperationsServer {
  /** The one that was free, where 0 was asked for. */
  port: number
  /** Closes every connection immediately. */
  close(): Promise<void>
}

/**
 * Answers operators and orchestrators on a port that the public does not reach: `/health`, `/health/ready`, `/metrics`. Every
 * process has it, workers included. It answers until the very end of a shutdown.
 */
export async function startOperationsServer({
  host,
  port,
  readiness,
  scrape,
  metricsToken,
}: OperationsOptions): Promise<OperationsServer> {
  type Page = (response: ServerResponse, request: IncomingMessage) => Promise<void>
  const pages: Record<string, Page> = {
    '/health': async (response) => sendHealth(response, liveness()),
    '/health/ready': async (response) => sendHealth(response, await readiness()),
    '/metrics': async (response, { headers }) => {
      if (!mayReadMetrics(headers.authorization, metricsToken)) {
        response.setHeader('www-authenticate', 'Bearer')
        return sendText(response, 401, 'METRICS_TOKEN is wanted\n')
      }
      const { contentType, text } = await scrape()
      response.writeHead(200, { 'content-type': contentType }).end(text)
    },
  }
  const server = createServer({
    headersTimeout: 5_000,
    requestTimeout: 5_000,
    // Longer than the intervals of probes and scrapes.
    keepAliveTimeout: 65_000,
  })
  server.on('request', (request, response) => {
    const { method, url = '' } = request
    const page = pages[url.replace(/\?.*$/s, '')]
    if (page === undefined) return sendText(response, 404, 'not found\n')
    if (method !== 'GET' && method !== 'HEAD') {
      response.setHeader('allow', 'GET, HEAD')
      return sendText(response, 405, 'use GET\n')
    }
    page(response, request).catch(() => sendText(response, 500, 'failed\n'))
  })
  server.listen({ host, port })
  await once(server, 'listening')
  const address = server.address() as AddressInfo
  return { port: address.port, close: () => closeAtOnce(server) }
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
