import { Readable } from 'node:stream'
import { describe, expect, test } from 'vitest'
import { ExactReader } from './ffmpeg-process.ts'
import { FrameReader } from './frame-reader.ts'

const SIZE = { width: 4, height: 2 }
const FRAME_BYTES = 12

/** Pictures of one value each, in pieces that do not fit them. */
function piecesOf(values: readonly number[], surplusBytes: number, pieceBytes: number): Readable {
  const all = Buffer.concat([
    ...values.map((value) => Buffer.alloc(FRAME_BYTES, value)),
    Buffer.alloc(surplusBytes, 99),
  ])
  const pieces: Buffer[] = []
  for (let at = 0; at < all.length; at += pieceBytes) {
    pieces.push(all.subarray(at, at + pieceBytes))
  }
  return Readable.from(pieces)
}

describe('the reader of raw pictures', () => {
  test.each([1, 5, 12, 30, 100])('gives whole pictures of pieces of %i bytes', async (bytes) => {
    const reader = new FrameReader(piecesOf([1, 2, 3], 0, bytes), SIZE)
    for (const value of [1, 2, 3]) {
      expect(await reader.read()).toEqual({ ...SIZE, data: Buffer.alloc(FRAME_BYTES, value) })
    }
    expect(await reader.read()).toBeUndefined()
  })

  test('keeps a picture while the next one is read, and when that one breaks off', async () => {
    const reader = new FrameReader(piecesOf([1, 2], 7, 5), SIZE)
    const first = await reader.read()
    const second = reader.read()
    expect(first?.data).toEqual(Buffer.alloc(FRAME_BYTES, 1))
    const last = await second
    expect(first?.data).toEqual(Buffer.alloc(FRAME_BYTES, 1))
    expect(await reader.read()).toBeUndefined()
    expect(last?.data).toEqual(Buffer.alloc(FRAME_BYTES, 2))
  })

  test('takes no memory for every picture', async () => {
    const reader = new FrameReader(piecesOf([1, 2, 3, 4], 0, 7), SIZE)
    const buffers = new Set<Buffer | undefined>()
    for (let i = 0; i < 4; i++) buffers.add((await reader.read())?.data)
    expect(buffers.size).toBe(2)
  })
})

describe('the reader of exact pieces', () => {
  test('gives less at the end, and then nothing', async () => {
    const reader = new ExactReader(Readable.from([Buffer.from('abc'), Buffer.from('defg')]))
    expect((await reader.read(2))?.toString()).toBe('ab')
    expect((await reader.read(3))?.toString()).toBe('cde')
    expect((await reader.read(9))?.toString()).toBe('fg')
    expect(await reader.read(1)).toBeUndefined()
  })
})
