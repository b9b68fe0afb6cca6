import {
  foreignServer,
  hasEgress,
  servicePort,
} from '@interview-room/media-server/test/acceptance/harness/settings.ts'
import type { MediaServer } from './provider.ts'

/** A LiveKit server that was not started by the tests. */
export interface ForeignLivekit extends MediaServer {
  /** Settings of a service that uses it. */
  settings: Record<string, string>
  /** The port on which a service gets its notifications; undefined if it sends none. */
  port: number | undefined
  /** LiveKit Egress works for it. */
  hasEgress: boolean
}

/** The server that the environment names for the acceptance suite; undefined if it names none. */
export function foreignLivekit(): ForeignLivekit | undefined {
  const server = foreignServer()
  if (server === undefined) return undefined
  const settings = {
    LIVEKIT_URL: server.url,
    LIVEKIT_API_KEY: server.apiKey,
    LIVEKIT_API_SECRET: server.apiSecret,
  }
  return { ...server, settings, port: servicePort(), hasEgress: hasEgress() }
}
