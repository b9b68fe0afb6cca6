import { AUDIO_RATE } from './opus.ts'

const FIRST_PAGE = 2
const LAST_PAGE = 4
const SEGMENT_MAX = 255
const SERIAL = 1
const CHANNELS = 2

/** Opus packets as an Ogg stream (RFC 3533, RFC 7845), one packet on a page, without pre-skip. */
export async function* oggOpus(
  packets: AsyncIterable<{ data: Buffer; samples: number }>,
): AsyncGenerator<Buffer> {
  let number = 0
  let samples = 0
  yield page(opusHead(), { flags: FIRST_PAGE, number: number++, samples })
  yield page(opusTags(), { flags: 0, number: number++, samples })
  for await (const packet of packets) {
    samples += packet.samples
    yield page(packet.data, { flags: 0, number: number++, samples })
  }
  yield page(Buffer.alloc(0), { flags: LAST_PAGE, number, samples })
}

function opusHead(): Buffer {
  const head = Buffer.alloc(19)
  head.write('OpusHead', 0, 'latin1')
  head.writeUInt8(1, 8)
  head.writeUInt8(CHANNELS, 9)
  head.writeUInt32LE(AUDIO_RATE, 12)
  return head
}

function opusTags(): Buffer {
  const tags = Buffer.alloc(16)
  tags.write('OpusTags', 0, 'latin1')
  return tags
}

function page(
  data: Buffer,
  { flags, number, samples }: { flags: number; number: number; samples: number },
): Buffer {
  const full = Math.floor(data.length / SEGMENT_MAX)
  const segments = Buffer.alloc(full + 1, SEGMENT_MAX)
  segments[full] = data.length % SEGMENT_MAX
  const head = Buffer.alloc(27)
  head.write('OggS', 0, 'latin1')
  head.writeUInt8(flags, 5)
  head.writeBigUInt64LE(BigInt(samples), 6)
  head.writeUInt32LE(SERIAL, 14)
  head.writeUInt32LE(number, 18)
  head.writeUInt8(segments.length, 26)
  const out = Buffer.concat([head, segments, data])
  out.writeUInt32LE(checksum(out), 22)
  return out
}

const POLYNOMIAL = 0x04c1_1db7
const TABLE = Uint32Array.from({ length: 256 }, (_, i) => {
  let value = (i << 24) >>> 0
  for (let bit = 0; bit < 8; bit++) {
    value = ((value << 1) ^ ((value & 0x8000_0000) === 0 ? 0 : POLYNOMIAL)) >>> 0
  }
  return value
})

function checksum(bytes: Buffer): number {
  let value = 0
  for (const byte of bytes) {
    value = ((value << 8) ^ (TABLE[((value >>> 24) ^ byte) & 0xff] ?? 0)) >>> 0
  }
  return value
}
