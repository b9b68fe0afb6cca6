// The time of sending comes as 24 bits of 2^-18 seconds, which wraps every 64 seconds.
const SEND_TICKS_PER_MS = 2 ** 18 / 1000
const SEND_TICKS = 2 ** 24
const HALF_SEND_TICKS = 2 ** 23

/** How often the clock needs a sign that the process is running. */
export const BEAT_INTERVAL_MS = 10
const STALL_MS = 2.5 * BEAT_INTERVAL_MS

/**
 * Says when packets arrived. A process that gets no processor finds packets late, and to their sender
 * that would look like a network that fills. Of such packets is known only that they arrived since the
 * process last ran; in that time they are put where their times of sending have them, as if the network
 * had not changed.
 */
export class ArrivalClock {
  #ranAtMs = 0
  #last: { atMs: number; sendTicks: number } | undefined

  /** The process runs; to be called every BEAT_INTERVAL_MS while packets come. */
  beat(nowMs: number): void {
    this.#ranAtMs = nowMs
  }

  /** When the packet arrived that was found now; as found, if it does not say when it was sent. */
  arrivalOf(sendTicks: number | undefined, nowMs: number): number {
    if (sendTicks === undefined) return nowMs
    const isStalled = nowMs - this.#ranAtMs > STALL_MS
    const atMs = isStalled ? this.#smoothed(sendTicks, nowMs) : nowMs
    this.#last = { atMs, sendTicks }
    return atMs
  }

  #smoothed(sendTicks: number, nowMs: number): number {
    const last = this.#last
    if (last === undefined) return nowMs
    const expected = last.atMs + sinceMs(last.sendTicks, sendTicks)
    return Math.min(nowMs, Math.max(expected, last.atMs, this.#ranAtMs))
  }
}

function sinceMs(from: number, to: number): number {
  const ticks = ((to - from + HALF_SEND_TICKS + SEND_TICKS) % SEND_TICKS) - HALF_SEND_TICKS
  return ticks / SEND_TICKS_PER_MS
}
