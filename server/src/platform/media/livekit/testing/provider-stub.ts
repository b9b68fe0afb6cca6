import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { decodeJwt, type JWTPayload } from 'jose'
import { afterAll, beforeAll, beforeEach } from 'vitest'
import { type Clock, systemClock } from '../../../lib/clock.ts'
import type { Media } from '../../../ports/media.ts'
import { createLivekitMedia, type LivekitTimeouts } from '../livekit-media.ts'

export interface ProviderCall {
  method: string
  body: Record<string, unknown>
  grants: Record<string, unknown>
}
export type ProviderAnswer = (call: ProviderCall, response: ServerResponse) => void

export const API_KEY = 'key'
export const API_SECRET = 'a-secret-of-the-provider'

/** A provider that answers whatever a test wants, and the adapter that calls it. */
export interface ProviderStub {
  media: Media
  /** The configuration of the adapter. */
  config: Parameters<typeof createLivekitMedia>[0]
  /** Creates another adapter, with other timeouts. */
  adapterWith(timeouts: LivekitTimeouts): Media
  /** `{}` until a test says otherwise. */
  answer: ProviderAnswer
  calls: ProviderCall[]
  /** The claims of each call's token. */
  claims: JWTPayload[]
  /** The adapter's clock; the machine's until a test says otherwise. */
  clock: Clock
}

export function answerJson(
  status: number,
  body: unknown,
  contentType = 'application/json',
): ProviderAnswer {
  return (_call, response) => {
    response.writeHead(status, { 'content-type': contentType }).end(JSON.stringify(body))
  }
}

export function useProviderStub(): ProviderStub {
  const stub = {} as ProviderStub

  async function receive(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const chunks = (await request.toArray()) as Buffer[]
    const claims = decodeJwt(request.headers.authorization?.slice('Bearer '.length) ?? '')
    const call = {
      method: request.url?.split('/').at(-1) ?? '',
      body: JSON.parse(Buffer.concat(chunks).toString()) as Record<string, unknown>,
      grants: claims['video'] as Record<string, unknown>,
    }
    stub.claims.push(claims)
    stub.calls.push(call)
    stub.answer(call, response)
  }

  const server = createServer((request, response) => void receive(request, response))

  beforeAll(async () => {
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
    const { port } = server.address() as AddressInfo
    const config = {
      apiUrl: `http://127.0.0.1:${port}`,
      egressUrls: [`http://127.0.0.1:${port}`],
      drainedEgressUrls: [],
      publicUrl: `ws://127.0.0.1:${port}`,
      apiKey: API_KEY,
      apiSecret: API_SECRET,
      masksArrivals: false,
      inspectorUrl: undefined,
      clock: () => stub.clock(),
    }
    stub.media = createLivekitMedia(config)
    stub.config = config
    stub.adapterWith = (timeouts) => createLivekitMedia(config, timeouts)
  })
  beforeEach(() => {
    stub.calls = []
    stub.claims = []
    stub.clock = systemClock
    stub.answer = answerJson(200, {})
  })
  afterAll(() => {
    server.closeAllConnections()
    server.close()
  })
  return stub
}
