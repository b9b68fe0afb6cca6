import type { IncomingMessage, Server, ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { Duplex } from 'node:stream'

const BODY_MAX_BYTES = 10 * 1024 * 1024
// Longer than a balancer's, so that it is never us who close a connection it is about to use.
const KEEP_ALIVE_MS = 65_000

/** A refusal with an HTTP status and a plain text. */
export class HttpRefusal extends Error {
  readonly status: number

  constructor(status: number, text: string) {
    super(text)
    this.status = status
  }
}

// Any origin may call, error answers included: without these headers a browser sees no answer.
const CORS = {
  'Access-Control-Allow-Origin': '*',
  'Access-Control-Expose-Headers': '*',
} as const

export function sendText(response: ServerResponse, status: number, text: string): void {
  const headers = { ...CORS, 'Content-Type': 'text/plain; charset=utf-8' }
  response.writeHead(status, headers).end(text)
}

export function sendPreflight(request: IncomingMessage, response: ServerResponse): void {
  response
    .writeHead(204, {
      ...CORS,
      'Access-Control-Allow-Methods': 'OPTIONS, HEAD, GET, POST, PATCH, DELETE',
      'Access-Control-Allow-Headers': request.headers['access-control-request-headers'] ?? '*',
      'Access-Control-Max-Age': '86400',
    })
    .end()
}

/** Refuses an upgrade: the socket still speaks HTTP. */
export function refuseUpgrade(socket: Duplex, { status, message }: HttpRefusal): void {
  const head = [
    `HTTP/1.1 ${status} Refused`,
    'Content-Type: text/plain; charset=utf-8',
    `Content-Length: ${Buffer.byteLength(message)}`,
    'Connection: close',
    ...Object.entries(CORS).map(([name, value]) => `${name}: ${value}`),
  ]
  socket.end(`${head.join('\r\n')}\r\n\r\n${message}`)
}

/** The whole body; throws HttpRefusal 413 beyond 10 MiB. */
export async function readBody(request: IncomingMessage): Promise<Buffer> {
  const parts: Buffer[] = []
  let sizeBytes = 0
  for await (const part of request as AsyncIterable<Buffer>) {
    sizeBytes += part.length
    if (sizeBytes > BODY_MAX_BYTES) throw new HttpRefusal(413, 'request body too large')
    parts.push(part)
  }
  return Buffer.concat(parts)
}

/** Takes requests from now on; resolves to the port. Rejects when it is taken. */
export async function listen(
  http: Server,
  { host, port }: { host: string; port: number },
): Promise<number> {
  http.keepAliveTimeout = KEEP_ALIVE_MS
  await new Promise<void>((resolve, reject) => {
    http.once('error', reject)
    http.listen(port, host, resolve)
  })
  return (http.address() as AddressInfo).port
}

/** Takes no more requests, and ends the connections that are left. */
export async function closeHttp(http: Server): Promise<void> {
  const closed = new Promise<void>((resolve) => http.close(() => resolve()))
  http.closeAllConnections()
  await closed
}

/** The token of an `Authorization: Bearer …` header. */
export function bearerOf(request: IncomingMessage): string | undefined {
  return /^Bearer (.+)$/.exec(request.headers.authorization ?? '')?.[1]
}

export function pathOf(request: IncomingMessage): string {
  return (request.url ?? '/').split('?', 1)[0] ?? '/'
}
