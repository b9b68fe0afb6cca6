export const AUDIO_RATE = 48_000

// RFC 6716, 3.1: the length of a frame in samples at 48 kHz by configuration.
const SILK = [480, 960, 1920, 2880]
const HYBRID = [480, 960]
const CELT = [120, 240, 480, 960]

/** How many samples at 48 kHz a packet holds; 0 for bytes that are not an Opus packet. */
export function samplesOfOpus(packet: Buffer): number {
  const toc = packet[0]
  if (toc === undefined) return 0
  const configuration = toc >> 3
  const frame = frameSamples(configuration)
  const code = toc & 3
  if (code === 0) return frame
  if (code < 3) return frame * 2
  const count = (packet[1] ?? 0) & 0x3f
  return frame * count <= (AUDIO_RATE * 120) / 1000 ? frame * count : 0
}

function frameSamples(configuration: number): number {
  if (configuration < 12) return SILK[configuration & 3] ?? 0
  if (configuration < 16) return HYBRID[configuration & 1] ?? 0
  return CELT[configuration & 3] ?? 0
}
