import { distance16 } from '@interview-room/composer/sequence-numbers.ts'
import { parseVp8, type Vp8Descriptor } from '@interview-room/composer/vp8-descriptor.ts'

/** Packets: more than a second of any stream, after which nobody asks for one again, and far from half of all numbers. */
const LATE_MAX = 4096

/** The parts of an RTP packet that a splice changes. */
export interface RtpParts {
  sequenceNumber: number
  timestamp: number
  payload: Buffer
}

interface Position {
  sequenceNumber: number
  timestamp: number
  atMs: number
  pictureId: number
  tl0PicIdx: number
}

/**
 * Makes one continuous RTP stream out of pieces of several: another simulcast layer, or the same
 * one after a pause. Sequence numbers, timestamps and VP8 picture ids continue where they stopped, so
 * that the receiver sees neither loss nor a jump.
 */
export class RtpSplicer {
  readonly #clockRate: number
  readonly #isVp8: boolean
  #last: Position | undefined
  #shift = { sequenceNumber: 0, timestamp: 0, pictureId: 0, tl0PicIdx: 0 }
  /** Older packets are from before the piece, or too late. It moves on, because numbers run over. */
  #oldestIn = 0
  #highestIn = 0
  #isSpliceDue = true

  constructor({ clockRate, isVp8 }: { clockRate: number; isVp8: boolean }) {
    this.#clockRate = clockRate
    this.#isVp8 = isVp8
  }

  /** The next packet begins a new piece. */
  splice(): void {
    this.#isSpliceDue = true
  }

  /** The packet as it is to be sent, or undefined when it must not be (late, or mere padding). */
  rewrite(packet: RtpParts, nowMs: number): RtpParts | undefined {
    const descriptor = this.#isVp8 ? parseVp8(packet.payload) : undefined
    if (this.#isSpliceDue) {
      if (packet.payload.length === 0) return undefined
      this.#beginPiece(packet, descriptor, nowMs)
    }

    // A packet from before the splice would land on numbers already used.
    if (distance16(this.#oldestIn, packet.sequenceNumber) < 0) return undefined
    if (packet.payload.length === 0) return this.#skipPadding(packet)

    const payload =
      descriptor === undefined ? packet.payload : shiftVp8(packet.payload, descriptor, this.#shift)
    const out = {
      sequenceNumber: (packet.sequenceNumber + this.#shift.sequenceNumber) & 0xffff,
      timestamp: (packet.timestamp + this.#shift.timestamp) >>> 0,
      payload,
    }
    this.#remember(packet, out, descriptor, nowMs)
    return out
  }

  #beginPiece(packet: RtpParts, descriptor: Vp8Descriptor | undefined, nowMs: number): void {
    this.#isSpliceDue = false
    this.#oldestIn = packet.sequenceNumber
    this.#highestIn = (packet.sequenceNumber - 1) & 0xffff
    const last = this.#last
    if (last === undefined) return

    const elapsed = Math.max(1, Math.round(((nowMs - last.atMs) / 1000) * this.#clockRate))
    this.#shift = {
      sequenceNumber: last.sequenceNumber + 1 - packet.sequenceNumber,
      timestamp: last.timestamp + elapsed - packet.timestamp,
      pictureId: last.pictureId + 1 - (descriptor?.pictureId?.value ?? 0),
      tl0PicIdx: last.tl0PicIdx + 1 - (descriptor?.tl0PicIdx?.value ?? 0),
    }
  }

  // Padding closes its gap: the receiver would wait for a number that was left out.
  #skipPadding(packet: RtpParts): undefined {
    if (distance16(this.#highestIn, packet.sequenceNumber) !== 1) return
    this.#advance(packet)
    this.#shift.sequenceNumber--
    return
  }

  #advance({ sequenceNumber }: RtpParts): void {
    this.#highestIn = sequenceNumber
    if (distance16(this.#oldestIn, sequenceNumber) > LATE_MAX) {
      this.#oldestIn = (sequenceNumber - LATE_MAX) & 0xffff
    }
  }

  #remember(
    packet: RtpParts,
    out: RtpParts,
    descriptor: Vp8Descriptor | undefined,
    nowMs: number,
  ): void {
    if (this.#last !== undefined && distance16(this.#highestIn, packet.sequenceNumber) <= 0) return

    this.#advance(packet)
    this.#last = {
      sequenceNumber: out.sequenceNumber,
      timestamp: out.timestamp,
      atMs: nowMs,
      pictureId: (descriptor?.pictureId?.value ?? 0) + this.#shift.pictureId,
      tl0PicIdx: (descriptor?.tl0PicIdx?.value ?? 0) + this.#shift.tl0PicIdx,
    }
  }
}

/** A copy of the payload with picture id and temporal index moved by the given amounts. */
function shiftVp8(
  payload: Buffer,
  descriptor: Vp8Descriptor,
  shift: { pictureId: number; tl0PicIdx: number },
): Buffer {
  const { pictureId, tl0PicIdx } = descriptor
  if (pictureId === undefined && tl0PicIdx === undefined) return payload

  const out = Buffer.from(payload)
  if (pictureId?.bits === 15) {
    out.writeUInt16BE(0x8000 | ((pictureId.value + shift.pictureId) & 0x7fff), pictureId.offset)
  } else if (pictureId !== undefined) {
    out[pictureId.offset] = (pictureId.value + shift.pictureId) & 0x7f
  }
  if (tl0PicIdx !== undefined) out[tl0PicIdx.offset] = (tl0PicIdx.value + shift.tl0PicIdx) & 0xff
  return out
}
