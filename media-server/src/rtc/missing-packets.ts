import { distance16 } from '@interview-room/composer/sequence-numbers.ts'

interface MissingPacket {
  sinceMs: number
  askedAtMs: number | undefined
}

// A packet that comes in another order is not lost yet.
const PATIENCE_MS = 10
// A picture that is a second old is of no use to anybody.
const GIVEN_UP_MS = 1000
// More missing packets are not asked for: a key frame is quicker.
const MISSING_MAX = 300
// Asked again only when an answer would have come, with some time for the other side.
const ANSWER_MARGIN_MS = 20

/** The packets of one stream that have not come, and when to ask for them again. */
export class MissingPackets {
  readonly #missing = new Map<number, MissingPacket>()
  #newest: number | undefined

  /** Takes note of a packet; false when it had come before, as bandwidth probes do. */
  receive(sequenceNumber: number, nowMs: number): boolean {
    const newest = this.#newest ?? (sequenceNumber - 1) & 0xffff
    const ahead = distance16(newest, sequenceNumber)
    if (ahead <= 0) return this.#missing.delete(sequenceNumber)

    this.#newest = sequenceNumber
    if (ahead > MISSING_MAX) this.#missing.clear()
    else this.#miss(newest, ahead - 1, nowMs)
    return true
  }

  get hasMissing(): boolean {
    return this.#missing.size > 0
  }

  /** The numbers that are to be asked for now. */
  due(nowMs: number, roundTripMs: number): number[] {
    const due: number[] = []
    for (const [number, missing] of this.#missing) {
      if (nowMs - missing.sinceMs > GIVEN_UP_MS) this.#missing.delete(number)
      else if (isDue(missing, nowMs, roundTripMs)) {
        missing.askedAtMs = nowMs
        due.push(number)
      }
    }
    return due
  }

  #miss(newest: number, count: number, nowMs: number): void {
    for (let step = 1; step <= count; step++) {
      this.#missing.set((newest + step) & 0xffff, { sinceMs: nowMs, askedAtMs: undefined })
    }
    // A network that is down for long must not leave a list that grows.
    for (const number of this.#missing.keys()) {
      if (this.#missing.size <= MISSING_MAX) return
      this.#missing.delete(number)
    }
  }
}

function isDue({ sinceMs, askedAtMs }: MissingPacket, nowMs: number, roundTripMs: number): boolean {
  if (askedAtMs === undefined) return nowMs - sinceMs >= PATIENCE_MS
  return nowMs - askedAtMs >= roundTripMs + ANSWER_MARGIN_MS
}
