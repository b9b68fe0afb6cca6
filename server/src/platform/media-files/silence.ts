import { EncodedPacket, type InputAudioTrack } from 'mediabunny'

const AAC_LC = 'mp4a.40.2'
const SAMPLES_PER_PACKET = 1024
// One raw_data_block (ISO/IEC 14496-3, 4.4.2): a single channel, or a pair, whose spectrum has no
// band at all, and the end of the block.
const SILENT_BLOCKS = new Map<number, Uint8Array>([
  [1, Uint8Array.of(0x00, 0x00, 0x00, 0x07)],
  [2, Uint8Array.of(0x20, 0x00, 0x00, 0x00, 0x00, 0x00, 0x0e)],
])

/** Silent packets that fill the gaps of a track. */
export interface Silence {
  /** The duration of one packet, in seconds. */
  packetSec: number
  /** The most packets that fit into this time, with one at each end. */
  countIn(sec: number): number
  packetAt(timestampSec: number): EncodedPacket
}

/** Undefined for a kind of sound that is not filled. */
export async function silenceFor(track: InputAudioTrack): Promise<Silence | undefined> {
  const config = await track.getDecoderConfig()
  const block = SILENT_BLOCKS.get(config?.numberOfChannels ?? 0)
  if (config?.codec !== AAC_LC || block === undefined) return undefined
  const packetSec = SAMPLES_PER_PACKET / config.sampleRate
  return {
    packetSec,
    countIn: (sec) => Math.ceil(sec / packetSec) + 2,
    packetAt: (timestampSec) => new EncodedPacket(block, 'key', timestampSec, packetSec),
  }
}
