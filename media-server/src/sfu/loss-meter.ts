import { distance16 } from '@interview-room/composer/sequence-numbers.ts'

/** The part of a receiver's report that says what has reached it. */
export interface ReceivedReport {
  /** 16 bits, with the times they ran over above them. */
  highestSequence: number
  /** In all, 24 bits with a sign: packets sent again may make it smaller. */
  packetsLost: number
}

/** Packets of one stream, in the time between two reports. */
export interface LossReport {
  sent: number
  lost: number
}

/**
 * Reads of a receiver's reports how many of the packets that were sent to it did not come. The
 * report alone would blame its connection for what was lost before: that is missing in the numbers, too.
 */
export class LossMeter {
  #first: number | undefined
  #highest = 0
  #count = 0
  #former: (ReceivedReport & { missing: number }) | undefined

  /** A packet was sent; with numbers that run over at 16 bits, not always in order. */
  noteSent(sequenceNumber: number): void {
    this.#first ??= this.#highest = sequenceNumber
    const ahead = distance16(this.#highest, sequenceNumber)
    if (ahead > 0) this.#highest += ahead
    this.#count++
  }

  /** Undefined for the first report, which has nothing before it. */
  noteReport({ highestSequence, packetsLost }: ReceivedReport): LossReport | undefined {
    const missing = this.#highest - (this.#first ?? this.#highest) + 1 - this.#count
    const former = this.#former
    this.#former = { highestSequence, packetsLost, missing }
    if (former === undefined) return undefined

    const missingNow = missing - former.missing
    const expected = (highestSequence - former.highestSequence) | 0
    const lost = ((packetsLost - former.packetsLost) << 8) >> 8
    const sent = Math.max(0, expected - missingNow)
    return { sent, lost: Math.min(sent, Math.max(0, lost - missingNow)) }
  }
}
