import {
  type HeardPacket,
  listenToRoom,
} from '@interview-room/media-server/src/recorder/listen-to-room.ts'
import { OpusDecoder } from 'opus-decoder'

/** A media room to listen to, or the end of that. */
type ListenMessage = ListenOrder | { id: number; isOver: true }

export interface ListenOrder {
  id: number
  /** http(s) address of the LiveKit server. */
  url: string
  token: string
}

/** Sound of a microphone, or the end of the listening. */
export type ListenNews =
  | { id: number; identity: string; track: string; pcm: Int16Array }
  /** `problem`: undefined if the media room has ended, or the listening is over. */
  | { id: number; problem: string | undefined }

const SAMPLE_RATE = 16_000
const SCALE = 32_767
/** A microphone that has sent nothing for this long gives its decoder back. */
const IDLE_MS = 60_000

process.on('disconnect', () => process.exit())
// Ctrl-C reaches the whole group; the parent of this process ends it.
process.on('SIGINT', () => {})
// The WebRTC library throws some errors of connections out of reach of their rooms, which then end by their own time limit.
process.on('uncaughtException', () => {})
process.on('unhandledRejection', () => {})

const rooms = new Map<number, AbortController>()

process.on('message', (message: ListenMessage) => {
  if ('isOver' in message) rooms.get(message.id)?.abort()
  else void listen(message)
})

async function listen({ id, url, token }: ListenOrder): Promise<void> {
  const over = new AbortController()
  rooms.set(id, over)
  const decoders = createDecoders(({ identity, track }, pcm) => {
    if (!over.signal.aborted) tell({ id, identity, track, pcm })
  })
  const problem = await listenToRoom({
    url,
    token,
    signal: over.signal,
    hear: (packet) => decoders.decode(packet),
  }).then(
    () => undefined,
    (error: unknown) => (error instanceof Error ? error.message : 'unknown'),
  )
  rooms.delete(id)
  decoders.free()
  tell({ id, problem })
}

function tell(news: ListenNews): void {
  process.send?.(news)
}

interface Decoder {
  decoder: OpusDecoder<typeof SAMPLE_RATE>
  isReady: boolean
  usedAtMs: number
}

/** One decoder for each track. Packets that come while it starts, in some milliseconds, are lost. */
function createDecoders(give: (packet: HeardPacket, pcm: Int16Array) => void) {
  const decoders = new Map<string, Decoder>()
  const free = (track: string, { decoder, isReady }: Decoder): void => {
    decoders.delete(track)
    if (isReady) decoder.free()
  }
  const sweeping = setInterval(() => {
    const before = performance.now() - IDLE_MS
    for (const [track, one] of decoders) if (one.usedAtMs < before) free(track, one)
  }, IDLE_MS).unref()

  function decoderOf(track: string): Decoder {
    const known = decoders.get(track)
    if (known !== undefined) return known
    const decoder = new OpusDecoder({ sampleRate: SAMPLE_RATE, channels: 1 })
    const made: Decoder = { decoder, isReady: false, usedAtMs: 0 }
    void decoder.ready.then(() => {
      made.isReady = true
    })
    decoders.set(track, made)
    return made
  }

  return {
    decode(packet: HeardPacket): void {
      const one = decoderOf(packet.track)
      one.usedAtMs = performance.now()
      if (!one.isReady) return
      const { channelData } = one.decoder.decodeFrame(packet.opus)
      const [sound] = channelData
      if (sound === undefined || sound.length === 0) return
      give(
        packet,
        Int16Array.from(sound, (sample) => Math.max(-1, Math.min(1, sample)) * SCALE),
      )
    },
    free(): void {
      clearInterval(sweeping)
      for (const [track, one] of decoders) free(track, one)
    },
  }
}
