import { once } from 'node:events'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'

export interface PlayedCall {
  method: string
  /** With the query. */
  address: string
  body: string
}

/** What is answered next; undefined leaves it to the vendor's usual behaviour. */
export type Played = { status: number; headers?: Record<string, string>; body?: string }

export interface PlayedVendor {
  url: string
  calls: PlayedCall[]
  /** Answered one after the other, before anything else. */
  next: Played[]
  /** What is answered to every call that has nothing in `next`. */
  usual: (call: PlayedCall) => Played
  close(): Promise<void>
}

/** A local server that plays a vendor's documented answers. */
export async function playVendor(usual: PlayedVendor['usual']): Promise<PlayedVendor> {
  const server = createServer((request, response) => void answer(request, response))
  const vendor = { calls: [], next: [], usual } as unknown as PlayedVendor

  async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const chunks: Buffer[] = []
    for await (const chunk of request as AsyncIterable<Buffer>) chunks.push(chunk)
    const body = Buffer.concat(chunks).toString('latin1')
    const call = { method: request.method ?? '', address: request.url ?? '', body }
    vendor.calls.push(call)
    const played = vendor.next.shift() ?? vendor.usual(call)
    response.writeHead(played.status, { 'content-type': 'application/json', ...played.headers })
    response.end(played.body ?? '{}')
  }

  await once(server.listen(0, '127.0.0.1'), 'listening')
  const { port } = server.address() as AddressInfo
  vendor.url = `http://127.0.0.1:${port}`
  vendor.close = async () => {
    server.close()
    server.closeAllConnections()
  }
  return vendor
}
