import { once } from 'node:events'
import { Agent, type IncomingMessage, request } from 'node:http'
import { createLivekitMedia } from '@interview-room/server/src/platform/media/livekit/livekit-media.ts'
import type { MediaProvider } from '../service-process.ts'
import type { Provide } from './bare-operations.ts'

/** The way in which the raw handler calls the provider: as the service does, or by plain HTTP. */
export const PROVIDER_CALLS = ['adapter', 'bare'] as const
export type ProviderCall = (typeof PROVIDER_CALLS)[number]

export function providerCall(call: ProviderCall, provider: MediaProvider): Provide {
  return call === 'adapter' ? callByAdapter(provider) : callBare(provider)
}

/** The service's own call, with a signed token, the provider's client and a timeout. */
function callByAdapter({ url, apiKey, apiSecret }: MediaProvider): Provide {
  const media = createLivekitMedia({
    apiUrl: url,
    egressUrls: [url],
    drainedEgressUrls: [],
    publicUrl: url,
    apiKey,
    apiSecret,
    masksArrivals: false,
    inspectorUrl: undefined,
    clock: () => new Date(),
  })
  return (spec) => media.ensureRoom(spec)
}

/** A call without a token, a timeout or a check of the answer. */
function callBare({ url }: MediaProvider): Provide {
  const agent = new Agent({ keepAlive: true })
  return async ({ name, emptyTimeoutSec, metadata }) => {
    const body = JSON.stringify({
      name,
      emptyTimeout: emptyTimeoutSec,
      departureTimeout: emptyTimeoutSec,
      metadata: JSON.stringify(metadata),
    })
    const call = request(`${url}/twirp/livekit.RoomService/CreateRoom`, {
      agent,
      method: 'POST',
      headers: { 'content-type': 'application/json', 'content-length': Buffer.byteLength(body) },
    }).end(body)
    const [answer] = (await once(call, 'response')) as [IncomingMessage]
    let text = ''
    for await (const chunk of answer) text += String(chunk)
    return JSON.parse(text) as { sid: string }
  }
}
