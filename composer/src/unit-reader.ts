import { open } from 'node:fs/promises'

/** The bytes of consecutive units of one file. */
export async function* readUnits<Unit extends { offset: number; size: number }>(
  file: string,
  units: Iterable<Unit>,
): AsyncGenerator<{ unit: Unit; data: Buffer }> {
  const handle = await open(file)
  try {
    let chunk = { offset: 0, data: Buffer.alloc(0) }
    for (const unit of units) {
      const isThere =
        unit.offset >= chunk.offset && unit.offset + unit.size <= chunk.offset + chunk.data.length
      if (!isThere) {
        const data = Buffer.allocUnsafe(Math.max(CHUNK_BYTES, unit.size))
        const { bytesRead } = await handle.read(data, 0, data.length, unit.offset)
        chunk = { offset: unit.offset, data: data.subarray(0, bytesRead) }
      }
      const start = unit.offset - chunk.offset
      yield { unit, data: chunk.data.subarray(start, start + unit.size) }
    }
  } finally {
    await handle.close()
  }
}

const CHUNK_BYTES = 256 * 1024
