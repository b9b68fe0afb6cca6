/** The head of an IVF file of VP8 whose timestamps count the given fraction of a second. */
export function ivfHead({
  width,
  height,
  ticksPerSec,
}: {
  width: number
  height: number
  ticksPerSec: number
}): Buffer {
  const head = Buffer.alloc(32)
  head.write('DKIF', 0, 'latin1')
  head.writeUInt16LE(32, 6)
  head.write('VP80', 8, 'latin1')
  head.writeUInt16LE(width, 12)
  head.writeUInt16LE(height, 14)
  head.writeUInt32LE(ticksPerSec, 16)
  head.writeUInt32LE(1, 20)
  return head
}

export function ivfFrame(data: Buffer, timestamp: number): Buffer {
  const head = Buffer.alloc(12)
  head.writeUInt32LE(data.length, 0)
  head.writeBigUInt64LE(BigInt(timestamp), 4)
  return Buffer.concat([head, data])
}
