import { once } from 'node:events'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { pipeline } from 'node:stream/promises'

export interface PlayedCall {
  method: string
  /** The path with the query. */
  address: string
  headers: IncomingMessage['headers']
  /** The body, complete once the call has been answered. */
  body: string
}

/** An answer, or the fate of the connection instead. */
export type PlayedAnswer =
  | { status: number; headers?: Record<string, string>; body?: string }
  /** Ends in the middle of the answer; never answers; answers endlessly. */
  | { fate: 'reset' | 'silence' | 'endless' }

export interface PlayedVendor {
  url: string
  calls: PlayedCall[]
  /** Answers for the next calls, used first and in order. */
  next: PlayedAnswer[]
  /** The answer to every call when `next` is empty. */
  usual: (call: PlayedCall) => PlayedAnswer
  /** Called when a call stays unanswered. */
  onSilence: () => void
  /** Bytes of endless answers that were sent until the other side gave up. */
  sentBytes: number
  close(): Promise<void>
}

const CHUNK = Buffer.from(`"${'x'.repeat(64 * 1024)}",`)

/** A local server that plays a vendor's documented answers. */
export async function playVendor(usual: PlayedVendor['usual']): Promise<PlayedVendor> {
  // A caller that is killed while it sends gets no answer.
  const server = createServer((request, response) => {
    answer(request, response).catch(() => response.destroy())
  })
  const vendor = { calls: [], next: [], usual, sentBytes: 0, onSilence: () => undefined }
  const played = vendor as unknown as PlayedVendor

  async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const { method = '', url: address = '', headers } = request
    const call: PlayedCall = { method, address, headers, body: '' }
    played.calls.push(call)
    const play = played.next.shift() ?? played.usual(call)
    if ('fate' in play) return meet(played, play.fate, { request, response })
    call.body = await readAll(request)
    response.writeHead(play.status, { 'content-type': 'application/json', ...play.headers })
    response.end(play.status === 204 ? undefined : (play.body ?? '{}'))
  }

  await once(server.listen(0, '127.0.0.1'), 'listening')
  const { port } = server.address() as AddressInfo
  played.url = `http://127.0.0.1:${port}`
  played.close = async () => {
    server.close()
    server.closeAllConnections()
  }
  return played
}

async function meet(
  vendor: PlayedVendor,
  fate: 'reset' | 'silence' | 'endless',
  { request, response }: { request: IncomingMessage; response: ServerResponse },
): Promise<void> {
  if (fate === 'reset') {
    if (request.method === 'POST') await once(request, 'data')
    request.socket.resetAndDestroy()
    return
  }
  await readAll(request)
  if (fate === 'silence') return vendor.onSilence()
  response.writeHead(200, { 'content-type': 'application/json' })
  // Sends until the other side gives up, which is an error here.
  await pipeline(endless(vendor), response).catch(() => undefined)
}

async function* endless(vendor: PlayedVendor): AsyncGenerator<Buffer> {
  yield Buffer.from('[')
  for (;;) {
    vendor.sentBytes += CHUNK.length
    yield CHUNK
  }
}

async function readAll(request: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = []
  for await (const chunk of request as AsyncIterable<Buffer>) chunks.push(chunk)
  return Buffer.concat(chunks).toString('latin1')
}
