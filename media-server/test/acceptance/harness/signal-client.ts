import { type Room, SignalResponse } from '@livekit/protocol'
import { until } from './until.ts'

/** A connection to the signalling alone, which keeps the updates of the room. */
export interface SignalClient {
  sid: string
  /** Each update of the room, oldest first. */
  rooms: readonly Room[]
  /** Waits until an update of the room has this metadata. */
  sees(metadata: string): Promise<void>
  close(): void
}

/** Joins, or resumes the connection of the given sid. */
export async function openSignal(
  url: string,
  { token, resumedSid }: { token: string; resumedSid?: string },
): Promise<SignalClient> {
  const resuming = resumedSid === undefined ? '' : `&reconnect=1&sid=${resumedSid}`
  const query = `access_token=${token}&protocol=16&sdk=js&version=2.23.0&auto_subscribe=1${resuming}`
  const socket = new WebSocket(`${url.replace(/^http/, 'ws')}/rtc?${query}`)
  socket.binaryType = 'arraybuffer'
  const rooms: Room[] = []
  let sid = resumedSid ?? ''
  socket.addEventListener('message', ({ data }) => {
    const { message } = SignalResponse.fromBinary(new Uint8Array(data as ArrayBuffer))
    if (message.case === 'join') sid = message.value.participant?.sid ?? ''
    if (message.case !== 'join' && message.case !== 'roomUpdate') return
    if (message.value.room !== undefined) rooms.push(message.value.room)
  })
  await until({
    fact: 'an update of the room arrives',
    read: () => rooms.length,
    holds: (received) => received > 0,
  })
  return {
    sid,
    rooms,
    sees: async (metadata) => {
      await until({
        fact: `an update of the room has ${metadata}`,
        read: () => rooms.map((room) => room.metadata),
        holds: (received) => received.includes(metadata),
      })
    },
    close: () => socket.close(),
  }
}
