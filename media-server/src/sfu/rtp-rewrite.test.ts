import { distance16 } from '@interview-room/composer/sequence-numbers.ts'
import { parseVp8 } from '@interview-room/composer/vp8-descriptor.ts'
import { describe, expect, test } from 'vitest'
import { RtpSplicer } from './rtp-rewrite.ts'

const FRAME_MS = 100
const FRAME_TICKS = 9000

function frame(sequenceNumber: number, timestamp: number, pictureId: number) {
  const payload = Buffer.from([0x90, 0x80, 0x80 | (pictureId >> 8), pictureId & 0xff, 0x00, 0x11])
  return { sequenceNumber, timestamp, payload }
}

const withLayers = (pictureId: number, tl0PicIdx: number) =>
  Buffer.from([0x90, 0xe0, 0x80 | (pictureId >> 8), pictureId & 0xff, tl0PicIdx, 0x20, 0x01])

describe('splicing RTP', () => {
  test('leaves the first piece as it is', () => {
    const splicer = new RtpSplicer({ clockRate: 90_000, isVp8: true })
    expect(splicer.rewrite(frame(7, 1000, 5), 0)).toEqual(frame(7, 1000, 5))
  })

  test('continues another layer with the next number, the elapsed time and the next picture id', () => {
    const splicer = new RtpSplicer({ clockRate: 90_000, isVp8: true })
    splicer.rewrite(frame(65_534, 1000, 32_766), 0)
    splicer.rewrite(frame(65_535, 1000 + FRAME_TICKS, 32_767), FRAME_MS)

    splicer.splice()
    const first = splicer.rewrite(frame(500, 777_000, 40), 2 * FRAME_MS)
    const second = splicer.rewrite(frame(501, 777_000 + FRAME_TICKS, 41), 3 * FRAME_MS)

    expect(first).toMatchObject({ sequenceNumber: 0, timestamp: 1000 + 2 * FRAME_TICKS })
    expect(parseVp8(first?.payload ?? Buffer.alloc(0))?.pictureId?.value).toBe(0)
    expect(second).toMatchObject({ sequenceNumber: 1, timestamp: 1000 + 3 * FRAME_TICKS })
    expect(parseVp8(second?.payload ?? Buffer.alloc(0))?.pictureId?.value).toBe(1)
  })

  test('moves each field of a VP8 descriptor at its own width, in a copy', () => {
    const splicer = new RtpSplicer({ clockRate: 90_000, isVp8: true })
    splicer.rewrite({ ...frame(1, 0, 0), payload: withLayers(0x7fff, 0xff) }, 0)

    splicer.splice()
    const payload = withLayers(40, 9)
    const moved = splicer.rewrite({ ...frame(50, 0, 0), payload }, FRAME_MS)

    expect(parseVp8(moved?.payload ?? Buffer.alloc(0))).toMatchObject({
      pictureId: { value: 0 },
      tl0PicIdx: { value: 0 },
    })
    expect(payload).toEqual(withLayers(40, 9))
  })

  test('keeps the order of packets that arrive out of order within a piece', () => {
    const splicer = new RtpSplicer({ clockRate: 90_000, isVp8: true })
    splicer.rewrite(frame(10, 0, 1), 0)
    expect(splicer.rewrite(frame(12, 0, 1), 0)?.sequenceNumber).toBe(12)
    expect(splicer.rewrite(frame(11, 0, 1), 0)?.sequenceNumber).toBe(11)

    splicer.splice()
    expect(splicer.rewrite(frame(90, 0, 1), 0)?.sequenceNumber).toBe(13)
  })

  test('drops what was sent before the piece began', () => {
    const splicer = new RtpSplicer({ clockRate: 90_000, isVp8: true })
    splicer.rewrite(frame(10, 0, 1), 0)
    expect(splicer.rewrite(frame(9, 0, 0), 0)).toBeUndefined()
  })

  test('passes everything of a piece, however often its numbers run over', () => {
    const splicer = new RtpSplicer({ clockRate: 48_000, isVp8: false })
    const payload = Buffer.from([1])
    // An hour of sound without a pause, and one packet in ten overtaken by the next.
    const inOrder = Array.from({ length: 180_000 }, (_, i) => i)
    const numbers = inOrder
      .map((i) => (i % 10 === 3 ? i + 1 : i % 10 === 4 ? i - 1 : i))
      .map((i) => (60_000 + i) & 0xffff)
    const passed = numbers.map((number, i) => {
      const packet = { sequenceNumber: number, timestamp: 960 * i, payload }
      return splicer.rewrite(packet, 20 * i)?.sequenceNumber
    })
    expect(passed).toEqual(numbers)
    // As late as this is from before the piece, or of no use.
    const late = (60_000 + 180_000 - 6_000) & 0xffff
    const out = splicer.rewrite({ sequenceNumber: late, timestamp: 0, payload }, 3_600_000)
    expect(out).toBeUndefined()
  })

  test('closes the gap that padding leaves', () => {
    const splicer = new RtpSplicer({ clockRate: 48_000, isVp8: false })
    const packet = (sequenceNumber: number, payload: Buffer) => {
      return splicer.rewrite({ sequenceNumber, timestamp: 0, payload }, 0)?.sequenceNumber
    }
    const sound = Buffer.from([1])

    expect(packet(20, sound)).toBe(20)
    expect(packet(21, Buffer.alloc(0))).toBeUndefined()
    expect(packet(22, sound)).toBe(21)
  })
})

test('the distance of sequence numbers wraps', () => {
  expect(distance16(65_535, 1)).toBe(2)
  expect(distance16(1, 65_535)).toBe(-2)
})
