import { SignalResponse } from '@livekit/protocol'
import type { BrowserClient } from './browser-client.ts'

/** Messages that repeat regardless of what happens in the room. */
const NOISE = new Set(['pong', 'pongResp', 'speakersChanged', 'connectionQuality', 'refreshToken'])

/**
 * Records every signalling message that this client receives from now on, as `<kind> <content>`, without
 * noise. Call it before the client joins.
 */
export function recordSignalMessages({ page }: BrowserClient): readonly string[] {
  const received: string[] = []
  page.on('websocket', (socket) => {
    socket.on('framereceived', ({ payload }) => {
      if (typeof payload === 'string') return
      const { message } = SignalResponse.fromBinary(new Uint8Array(payload))
      if (message.case === undefined || NOISE.has(message.case)) return
      const content = new SignalResponse({ message }).toJsonString()
      received.push(`${message.case} ${content}`)
    })
  })
  return received
}
