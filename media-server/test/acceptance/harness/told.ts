import { SignalResponse } from '@livekit/protocol'
import type { BrowserClient } from './browser-client.ts'

/** What comes by itself again and again, or tells of the client's own voice and line. */
const NOISE = new Set(['pong', 'pongResp', 'speakersChanged', 'connectionQuality', 'refreshToken'])

/**
 * Every message that the signalling tells this client from now on, as `<kind> <content>`, but for noise. To be
 * called before the client joins.
 */
export function recordTold({ page }: BrowserClient): readonly string[] {
  const told: string[] = []
  page.on('websocket', (socket) => {
    socket.on('framereceived', ({ payload }) => {
      if (typeof payload === 'string') return
      const { message } = SignalResponse.fromBinary(new Uint8Array(payload))
      if (message.case === undefined || NOISE.has(message.case)) return
      const content = new SignalResponse({ message }).toJsonString()
      told.push(`${message.case} ${content}`)
    })
  })
  return told
}
