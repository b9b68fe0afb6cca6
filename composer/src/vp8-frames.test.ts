import { describe, expect, test } from 'vitest'
import type { OrderedPacket } from './reorder.ts'
import { Vp8Assembler } from './vp8-frames.ts'

const KEY = Buffer.from('10000000009d012a4001f000', 'hex')

interface Part {
  start?: boolean
  last?: boolean
  gap?: boolean
  timestamp?: number
  body?: Buffer
}

function part({
  start = false,
  last = false,
  gap = false,
  timestamp = 0,
  body = Buffer.of(1, 2),
}: Part): OrderedPacket {
  const payload = Buffer.concat([Buffer.of(start ? 0x10 : 0x00), body])
  const head = { kind: 'packet', ssrc: 1, sequenceNumber: 0, layer: 0, level: 127 } as const
  return {
    packet: { ...head, timestamp, isLast: last, atMs: timestamp, payload },
    timestamp,
    isAfterGap: gap,
  }
}

function framesOf(parts: Part[]) {
  const assembler = new Vp8Assembler()
  return parts.flatMap((one) => assembler.push(part(one)) ?? [])
}

const key = { start: true, body: KEY.subarray(2) }
const delta = { start: true, last: true }

describe('frames', () => {
  test('are assembled from their packets; a key frame carries its size', () => {
    const frames = framesOf([
      { ...key, timestamp: 5 },
      { last: true, timestamp: 5 },
      { ...delta, timestamp: 6 },
    ])
    expect(frames).toMatchObject([
      { isKeyFrame: true, width: 320, height: 240, timestamp: 5 },
      { isKeyFrame: false, timestamp: 6 },
    ])
    expect(frames[0]?.data).toHaveLength(KEY.length - 2 + 2)
  })

  test('before the first key frame are left out', () => {
    expect(framesOf([delta, delta, { ...key, last: true }])).toHaveLength(1)
  })

  test('that lack a packet are left out, with all frames that depend on them', () => {
    const frames = framesOf([
      { ...key, last: true, timestamp: 1 },
      { start: true, timestamp: 2 },
      { last: true, gap: true, timestamp: 2 },
      { ...delta, timestamp: 3 },
      { ...key, last: true, timestamp: 4 },
      { ...delta, timestamp: 5 },
    ])
    expect(frames.map(({ timestamp }) => timestamp)).toEqual([1, 4, 5])
  })

  test('larger than any screen are left out, with all frames that depend on them', () => {
    const huge = Buffer.from(key.body)
    huge.writeUInt16LE(16_000, 6)
    huge.writeUInt16LE(16_000, 8)
    const frames = framesOf([
      { ...key, last: true, timestamp: 1 },
      { ...key, body: huge, last: true, timestamp: 2 },
      { ...delta, timestamp: 3 },
      { ...key, last: true, timestamp: 4 },
    ])
    expect(frames.map(({ timestamp }) => timestamp)).toEqual([1, 4])
  })
})
