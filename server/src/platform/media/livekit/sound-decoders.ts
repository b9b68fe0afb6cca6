import type { HeardPacket } from '@interview-room/media-server/src/recorder/listen-to-room.ts'
import { OpusDecoder } from 'opus-decoder'

const SAMPLE_RATE = 16_000
const SCALE = 32_767
/** A microphone that has sent nothing for this long gives its decoder back. */
const IDLE_MS = 60_000
/** Packets of 20 ms that wait for a decoder to start. */
const WAITING_MAX = 100

interface Decoder {
  decoder: OpusDecoder<typeof SAMPLE_RATE>
  /** Packets that came while it starts. Null once it has. */
  waiting: HeardPacket[] | null
  usedAtMs: number
}

/** Decodes the packets of each track with a decoder of its own, to sound of 16 kHz. */
export function createSoundDecoders(give: (packet: HeardPacket, pcm: Int16Array) => void) {
  const decoders = new Map<string, Decoder>()
  const free = (track: string, { decoder, waiting }: Decoder): void => {
    decoders.delete(track)
    if (waiting === null) decoder.free()
  }
  const sweeping = setInterval(() => {
    const before = performance.now() - IDLE_MS
    for (const [track, one] of decoders) if (one.usedAtMs < before) free(track, one)
  }, IDLE_MS).unref()

  function decoderOf(track: string): Decoder {
    const known = decoders.get(track)
    if (known !== undefined) return known
    const decoder = new OpusDecoder({ sampleRate: SAMPLE_RATE, channels: 1 })
    const made: Decoder = { decoder, waiting: [], usedAtMs: 0 }
    void decoder.ready.then(() => {
      const waiting = made.waiting ?? []
      made.waiting = null
      if (decoders.get(track) !== made) return decoder.free()
      for (const packet of waiting) decodeBy(made, packet)
    })
    decoders.set(track, made)
    return made
  }

  function decodeBy({ decoder }: Decoder, packet: HeardPacket): void {
    const { channelData } = decoder.decodeFrame(packet.opus)
    const [sound] = channelData
    if (sound === undefined || sound.length === 0) return
    give(
      packet,
      Int16Array.from(sound, (sample) => Math.max(-1, Math.min(1, sample)) * SCALE),
    )
  }

  return {
    decode(packet: HeardPacket): void {
      const one = decoderOf(packet.track)
      one.usedAtMs = performance.now()
      if (one.waiting === null) decodeBy(one, packet)
      else if (one.waiting.length < WAITING_MAX) one.waiting.push(packet)
    },
    free(): void {
      clearInterval(sweeping)
      for (const [track, one] of decoders) free(track, one)
    },
  }
}
