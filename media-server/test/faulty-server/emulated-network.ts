/** How an emulated network treats packets; the same in both directions. */
export interface NetworkSettings {
  /** Share of packets lost by chance, 0…1. */
  lossRatio: number
  /** From one end to the other, 0…5000. */
  delayMs: number
  /** Bandwidth, including IP and UDP headers; null: no limit. */
  kbps: number | null
  /** Nothing gets through. */
  isBlocked: boolean
}

export const CLEAR_NETWORK: NetworkSettings = {
  lossRatio: 0,
  delayMs: 0,
  kbps: null,
  isBlocked: false,
}

const IP_AND_UDP_BYTES = 28
const BACKLOG_MS = 300
// Even a very narrow network takes the burst of a new connection.
const BACKLOG_BYTES_MIN = 6000
const BITS_PER_BYTE = 8

/**
 * One direction of a network: what happens to each packet, and when it arrives. A packet is lost by
 * chance; else it waits until those before it have been sent (and is dropped when too many wait);
 * else it arrives after the delay. Packets never overtake each other.
 */
export class NetworkDirection {
  readonly #isHit: (chance: number) => boolean
  #freeAtMs = 0
  #lastArrivalMs = 0

  constructor(seed: number) {
    const random = randomNumbers(seed)
    this.#isHit = (chance) => random() < chance
  }

  /** When a packet that enters now arrives at the other end; undefined: never. */
  arrivalOf(payloadBytes: number, settings: NetworkSettings, nowMs: number): number | undefined {
    if (settings.isBlocked) return undefined
    if (settings.lossRatio > 0 && this.#isHit(settings.lossRatio)) return undefined

    const sentMs = this.#sentAt(payloadBytes + IP_AND_UDP_BYTES, settings.kbps, nowMs)
    if (sentMs === undefined) return undefined
    this.#lastArrivalMs = Math.max(this.#lastArrivalMs, sentMs + settings.delayMs)
    return this.#lastArrivalMs
  }

  #sentAt(sizeBytes: number, kbps: number | null, nowMs: number): number | undefined {
    if (kbps === null) return nowMs
    const bytesPerMs = kbps / BITS_PER_BYTE
    const waitingBytes = Math.max(0, this.#freeAtMs - nowMs) * bytesPerMs
    if (waitingBytes + sizeBytes > Math.max(BACKLOG_MS * bytesPerMs, BACKLOG_BYTES_MIN)) {
      return undefined
    }
    this.#freeAtMs = Math.max(this.#freeAtMs, nowMs) + sizeBytes / bytesPerMs
    return this.#freeAtMs
  }
}

/** The same numbers, 0…1, for the same seed. A multiply-and-shift generator of 32 bits. */
function randomNumbers(seed: number): () => number {
  let state = seed >>> 0
  return () => {
    state = (state + 0x9e37_79b9) >>> 0
    let mixed = Math.imul(state ^ (state >>> 16), 0x21f0_aaad)
    mixed = Math.imul(mixed ^ (mixed >>> 15), 0x735a_2d97)
    return ((mixed ^ (mixed >>> 15)) >>> 0) / 2 ** 32
  }
}
