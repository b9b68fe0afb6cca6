import { SignalResponse } from '@livekit/protocol'
import type { BrowserClient } from './browser-client.ts'

export interface ReceivedMessage {
  kind: string
  /** Content as JSON. */
  content: string
  /** Time of receipt, by the clock of `performance.now()`. */
  atMs: number
}

/** Records every signalling message that this client receives from now on. Call it before the client joins. */
export function recordSignalMessages({
  page,
}: Pick<BrowserClient, 'page'>): readonly ReceivedMessage[] {
  const received: ReceivedMessage[] = []
  page.on('websocket', (socket) => {
    socket.on('framereceived', ({ payload }) => {
      if (typeof payload === 'string') return
      const { message } = SignalResponse.fromBinary(new Uint8Array(payload))
      if (message.case === undefined) return
      const content = new SignalResponse({ message }).toJsonString()
      received.push({ kind: message.case, content, atMs: performance.now() })
    })
  })
  return received
}
