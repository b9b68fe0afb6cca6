import type { LoggedPacket } from './capture/rtp-log.ts'
import { distance16 } from './sequence-numbers.ts'

/** A packet in the order it was sent, with a media timestamp that never wraps. */
export interface OrderedPacket {
  packet: LoggedPacket
  timestamp: number
  /** True if packets before it were lost. */
  isAfterGap: boolean
}

// A retransmission arrives within this time, or never.
const REPAIR_MS = 1500
const WAITING_MAX = 1024
// After this pause, for example a mute, sequence numbers may have wrapped and tell nothing.
const SILENT_MS = 3000

/** Puts the packets of one stream in the order they were sent, without duplicates. */
export class Reorderer {
  readonly #waiting = new Map<number, LoggedPacket>()
  #next: number | undefined
  #timestamp: number | undefined
  #rawTimestamp = 0
  #isAfterGap = false
  #lastAtMs = Infinity

  /** Adds a packet; returns the packets that are in order now. */
  push(packet: LoggedPacket): OrderedPacket[] {
    const out = this.#isAfterSilence(packet) ? this.#beginAnew(packet) : []
    this.#lastAtMs = packet.atMs
    this.#next ??= packet.sequenceNumber
    if (distance16(this.#next, packet.sequenceNumber) < 0) return out
    this.#waiting.set(packet.sequenceNumber, packet)
    out.push(...this.#takeInOrder())
    while (this.#isGivingUp(packet.atMs)) {
      this.#skipGap()
      out.push(...this.#takeInOrder())
    }
    return out
  }

  /** Returns the waiting packets at the end of the log. */
  flush(): OrderedPacket[] {
    const out: OrderedPacket[] = []
    while (this.#waiting.size > 0) {
      out.push(...this.#takeInOrder())
      if (this.#waiting.size > 0) this.#skipGap()
    }
    return out
  }

  /** The unwrapped timestamp that is nearest to the last packet's; undefined before the first. */
  unwrap(raw: number): number | undefined {
    if (this.#timestamp === undefined) return undefined
    return this.#timestamp + ((raw - this.#rawTimestamp) | 0)
  }

  #isAfterSilence({ sequenceNumber, atMs }: LoggedPacket): boolean {
    return atMs - this.#lastAtMs > SILENT_MS && sequenceNumber !== this.#next
  }

  #beginAnew({ sequenceNumber }: LoggedPacket): OrderedPacket[] {
    const out = this.flush()
    this.#next = sequenceNumber
    this.#isAfterGap = true
    return out
  }

  #takeInOrder(): OrderedPacket[] {
    const out: OrderedPacket[] = []
    for (;;) {
      const packet = this.#next === undefined ? undefined : this.#waiting.get(this.#next)
      if (packet === undefined) return out
      this.#waiting.delete(packet.sequenceNumber)
      this.#next = (packet.sequenceNumber + 1) & 0xffff
      this.#timestamp = this.unwrap(packet.timestamp) ?? packet.timestamp
      this.#rawTimestamp = packet.timestamp
      out.push({ packet, timestamp: this.#timestamp, isAfterGap: this.#isAfterGap })
      this.#isAfterGap = false
    }
  }

  #isGivingUp(nowMs: number): boolean {
    const [oldest] = this.#waiting.values()
    if (oldest === undefined) return false
    return this.#waiting.size > WAITING_MAX || nowMs - oldest.atMs > REPAIR_MS
  }

  #skipGap(): void {
    const from = this.#next ?? 0
    const ahead = [...this.#waiting.keys()].map((number) => distance16(from, number))
    this.#next = (from + Math.min(...ahead)) & 0xffff
    this.#isAfterGap = true
  }
}
