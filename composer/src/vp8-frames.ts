import type { OrderedPacket } from './reorder.ts'
import { parseVp8 } from './vp8-descriptor.ts'

export interface Vp8Frame {
  timestamp: number
  atMs: number
  isKeyFrame: boolean
  /** Size of a key frame, which the frames after it keep. */
  width: number
  height: number
  data: Buffer
}

/**
 * The size of an 8K screen. For a larger picture, a hostile client could make the decoder take seconds and a gigabyte with some
 * kilobytes.
 */
const PIXELS_MAX = 7680 * 4320

/**
 * Assembles frames from packets. An incomplete frame is dropped, and so are all frames until the next key frame, because they build
 * on it.
 */
export class Vp8Assembler {
  #parts: Buffer[] = []
  #head: { timestamp: number; atMs: number; isKeyFrame: boolean } | undefined
  #isWaitingForKeyFrame = true

  push({ packet, timestamp, isAfterGap }: OrderedPacket): Vp8Frame | undefined {
    if (isAfterGap) this.#lose()
    const descriptor = parseVp8(packet.payload)
    if (descriptor === undefined) return undefined
    const { isFrameStart, isKeyFrame, payloadOffset } = descriptor
    if (isFrameStart) {
      // The marker of the frame before was lost.
      if (this.#head !== undefined) this.#lose()
      this.#head = { timestamp, atMs: packet.atMs, isKeyFrame }
      this.#parts = []
    } else if (this.#head?.timestamp !== timestamp) {
      this.#lose()
    }
    if (this.#head === undefined) return undefined
    this.#parts.push(packet.payload.subarray(payloadOffset))
    return packet.isLast ? this.#finish(this.#head) : undefined
  }

  #finish(head: { timestamp: number; atMs: number; isKeyFrame: boolean }): Vp8Frame | undefined {
    const data = Buffer.concat(this.#parts)
    this.#head = undefined
    this.#parts = []
    const size = head.isKeyFrame ? sizeOfKeyFrame(data) : { width: 0, height: 0 }
    if (size === undefined) this.#lose()
    else if (head.isKeyFrame) this.#isWaitingForKeyFrame = false
    if (size === undefined || this.#isWaitingForKeyFrame) return undefined
    return { ...head, ...size, data }
  }

  #lose(): void {
    this.#head = undefined
    this.#parts = []
    this.#isWaitingForKeyFrame = true
  }
}

// RFC 6386, 9.1: a tag of three bytes, a start code, then 14 bits of width and of height.
function sizeOfKeyFrame(data: Buffer): { width: number; height: number } | undefined {
  if (data.length < 10 || data.readUIntBE(3, 3) !== 0x9d012a) return undefined
  const width = data.readUInt16LE(6) & 0x3fff
  const height = data.readUInt16LE(8) & 0x3fff
  return width * height <= PIXELS_MAX ? { width, height } : undefined
}
