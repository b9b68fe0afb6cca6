import { Room } from '@livekit/rtc-node'

/** The media that all observers of this process have received together. */
export interface ReceivedMedia {
  packets: number
  frames: number
}

/**
 * Runs observers with the provider's native client, in a process of their own. The arguments are the URL and the
 * tokens. It prints `ready`, and then, for each message, the totals so far.
 */
const [url = '', ...tokens] = process.argv.slice(2)
const rooms: Room[] = []
for (const token of tokens) {
  const room = new Room()
  await room.connect(url, token, { autoSubscribe: true, dynacast: false })
  rooms.push(room)
}
process.send?.('ready')
process.on('message', () => void send())
process.on('disconnect', () => process.exit())

async function send(): Promise<void> {
  const received: ReceivedMedia = { packets: 0, frames: 0 }
  for (const room of rooms) {
    const { subscriberStats } = await room.getRtcStats()
    for (const { stats } of subscriberStats) {
      if (stats.case !== 'inboundRtp') continue
      received.packets += Number(stats.value.received?.packetsReceived ?? 0)
      received.frames += stats.value.inbound?.framesDecoded ?? 0
    }
  }
  process.send?.(received)
}
