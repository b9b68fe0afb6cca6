/** AAC in ADTS (ISO/IEC 14496-3): packets that each have their own header, so that a stream can be cut and continued anywhere. */

/** Samples in a packet. */
export const PACKET_SAMPLES = 1024

const HEAD_BYTES = 7

/** The number of whole packets before a sample: two stretches that meet at a sample meet at a packet, too. */
export function packetAt(sample: number): number {
  return Math.round(sample / PACKET_SAMPLES)
}

/** The packets of a stream, in order. Throws for anything else. */
export async function* adtsPackets(stream: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
  let rest: Buffer = Buffer.alloc(0)
  for await (const bytes of stream) {
    rest = rest.length === 0 ? bytes : Buffer.concat([rest, bytes])
    let at = 0
    for (;;) {
      const size = sizeAt(rest, at)
      if (size === undefined || at + size > rest.length) break
      yield rest.subarray(at, at + size)
      at += size
    }
    rest = rest.subarray(at)
  }
  if (rest.length > 0) throw new Error('the sound ends within a packet')
}

/** Undefined if the header is not whole. */
function sizeAt(bytes: Buffer, at: number): number | undefined {
  if (at + HEAD_BYTES > bytes.length) return undefined
  const hasMark = bytes[at] === 0xff && ((bytes[at + 1] ?? 0) & 0xf6) === 0xf0
  // Thirteen bits, from the end of the fourth byte on.
  const size = (bytes.readUIntBE(at + 3, 3) >> 5) & 0x1fff
  if (!hasMark || size < HEAD_BYTES) throw new Error('the sound is not in ADTS')
  return size
}

/** `count` items after the first `skipped` ones. What comes later is read and left out. */
export async function* cut<Item>(
  items: AsyncIterable<Item>,
  { skipped, count }: { skipped: number; count: number },
): AsyncGenerator<Item> {
  let index = 0
  for await (const item of items) {
    if (index >= skipped && index < skipped + count) yield item
    index += 1
  }
}
