import { SignalRequest, SignalResponse } from '@livekit/protocol'
import type { SignalDemand, SignalMessage } from '../../src/sfu/signal-socket.ts'

/** A client that speaks the protocol of the signalling and nothing else. */
export interface RawClient {
  send(...demands: SignalDemand[]): void
  /** The first message of this kind that has come or is to come. */
  received<C extends NonNullable<SignalMessage['case']>>(
    kind: C,
  ): Promise<SignalMessage & { case: C }>
  closed: Promise<{ code: number; reason: string }>
  close(): void
}

/** Joins with the signalling alone: no media ever comes. */
export async function openRawClient(url: string, token: string): Promise<RawClient> {
  const query = new URLSearchParams({ access_token: token, protocol: '16' })
  const socket = new WebSocket(`${url.replace('http', 'ws')}/rtc?${query}`)
  socket.binaryType = 'arraybuffer'
  const messages: SignalMessage[] = []
  const heard = new EventTarget()
  socket.addEventListener('message', ({ data }) => {
    messages.push(SignalResponse.fromBinary(new Uint8Array(data as ArrayBuffer)).message)
    heard.dispatchEvent(new Event('message'))
  })
  const closed = new Promise<{ code: number; reason: string }>((resolve) => {
    socket.addEventListener('close', ({ code, reason }) => resolve({ code, reason }))
  })
  const client: RawClient = {
    closed,
    send(...demands) {
      for (const message of demands)
        socket.send(Buffer.from(new SignalRequest({ message }).toBinary()))
    },
    received: (kind) =>
      new Promise((resolve) => {
        const look = () => {
          const found = messages.find((message) => message.case === kind)
          if (found !== undefined) resolve(found as SignalMessage & { case: typeof kind })
        }
        heard.addEventListener('message', look)
        look()
      }),
    close: () => socket.close(),
  }
  await client.received('join')
  return client
}
