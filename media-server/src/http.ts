import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Duplex } from 'node:stream'

const BODY_MAX_BYTES = 10 * 1024 * 1024

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
