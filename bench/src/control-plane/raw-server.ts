import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { openBareOperations } from './open-bare-operations.ts'

/**
 * The floor of the HTTP edge: `node:http` with nothing around the SQL and the provider's call. No
 * key is checked, no body is judged, nothing is logged.
 */
const operations = openBareOperations(process.env)

async function answer(request: IncomingMessage): Promise<unknown> {
  const url = new URL(request.url ?? '/', 'http://raw')
  const [, what, id = ''] = url.pathname.split('/')
  if (request.method === 'POST') return operations.createRoom(JSON.parse(await bodyOf(request)))
  if (what === 'rooms') return operations.getRoom(id)
  if (what === 'sessions') return operations.listSessions(url.searchParams.get('external_id') ?? '')
  return operations.findKey(id)
}

async function bodyOf(request: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = []
  for await (const chunk of request) chunks.push(chunk as Buffer)
  return Buffer.concat(chunks).toString('utf8')
}

function send(response: ServerResponse, status: number, data: unknown): void {
  const body = JSON.stringify({ success: status < 400, data })
  response.writeHead(status, {
    'content-type': 'application/json; charset=utf-8',
    'content-length': Buffer.byteLength(body),
  })
  response.end(body)
}

const server = createServer((request, response) => {
  answer(request).then(
    (data) => send(response, request.method === 'POST' ? 201 : 200, data),
    (error: unknown) => send(response, 500, String(error)),
  )
}).listen(0, '127.0.0.1', () => {
  console.log((server.address() as AddressInfo).port)
})
process.once('SIGTERM', () => process.exit())
