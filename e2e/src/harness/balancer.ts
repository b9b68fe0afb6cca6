import { once } from 'node:events'
import { type IncomingMessage, request as ask, createServer, type ServerResponse } from 'node:http'
import { buffer } from 'node:stream/consumers'

/** A balancer in front of several api processes, as docs/deployment.md requires. */
export interface Balancer {
  /** The addresses that take turns. */
  targets: readonly string[]
  url: string
  close(): Promise<void>
}

/** Sends requests to the targets in turn. If a connection is refused, it tries the next one. */
export async function startBalancer(port: number): Promise<Balancer> {
  const balancer = { targets: [] as readonly string[], url: `http://localhost:${port}` }
  let turn = 0
  const server = createServer((request, response) => {
    turn += 1
    void forward(request, response, inTurn(balancer.targets, turn))
  })
  server.listen(port, '127.0.0.1')
  await once(server, 'listening')
  return Object.assign(balancer, {
    async close() {
      server.closeAllConnections()
      server.close()
      await once(server, 'close')
    },
  })
}

function inTurn(targets: readonly string[], turn: number): string[] {
  const first = turn % Math.max(1, targets.length)
  return [...targets.slice(first), ...targets.slice(0, first)]
}

async function forward(
  request: IncomingMessage,
  response: ServerResponse,
  targets: readonly string[],
): Promise<void> {
  const body = await buffer(request)
  for (const target of targets) {
    const answer = await send(new URL(request.url ?? '/', target), request, body)
    if (answer === undefined) continue
    response.writeHead(answer.statusCode ?? 502, answer.headers)
    // A process that is killed during an answer cuts it, which the caller sees.
    answer.on('error', () => response.destroy())
    answer.pipe(response)
    response.on('close', () => answer.destroy())
    return
  }
  response.writeHead(502).end()
}

/** Undefined if nothing listens there: then nothing was done, and another target may be tried. */
function send(
  url: URL,
  { method, headers }: IncomingMessage,
  body: Buffer,
): Promise<IncomingMessage | undefined> {
  return new Promise((resolve) => {
    const forwarded = { ...headers, 'x-forwarded-for': '127.0.0.1', 'content-length': body.length }
    const sent = ask(url, { method, headers: forwarded }, resolve)
    sent.on('error', () => resolve(undefined))
    sent.end(body)
  })
}
