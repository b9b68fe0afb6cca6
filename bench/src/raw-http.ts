import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'

export async function bodyOf(request: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = []
  for await (const chunk of request) chunks.push(chunk as Buffer)
  return Buffer.concat(chunks).toString('utf8')
}

/**
 * Serves the values that `answer` returns in the service's format, and does nothing else. `take` may answer a request
 * in another way. Prints the port, and ends on SIGTERM.
 */
export function serveRaw(
  answer: (request: IncomingMessage) => Promise<unknown>,
  take: (request: IncomingMessage, response: ServerResponse) => boolean = () => false,
): void {
  const server = createServer((request, response) => {
    if (take(request, response)) return
    answer(request).then(
      (data) => send(response, request.method === 'POST' ? 201 : 200, data),
      (error: unknown) => send(response, 500, String(error)),
    )
  }).listen(0, '127.0.0.1', () => {
    console.log((server.address() as AddressInfo).port)
  })
  process.once('SIGTERM', () => process.exit())
}

function send(response: ServerResponse, status: number, data: unknown): void {
  const body = JSON.stringify({ success: status < 400, data })
  response.writeHead(status, {
    'content-type': 'application/json; charset=utf-8',
    'content-length': Buffer.byteLength(body),
  })
  response.end(body)
}
