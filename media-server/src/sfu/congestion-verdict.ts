import type { LossReport } from './loss-meter.ts'

const WINDOW_MS = 2000
// Packets sent before a change are still being reported for a while.
const BLIND_MS = 1000
const PACKETS_MIN = 20
/** Retransmission repairs random loss; this much means a congested connection. */
const HEAVY_FROM = 0.15
const OVERFULL_FROM = 0.3
const QUIET_MS = 10_000
const QUIET_MAX_MS = 80_000

/** Advice for a connection: send less by this share, send more again, or change nothing. */
export type Verdict = { lessBy: number } | 'more' | undefined

/**
 * Judges a connection by its packet loss. Less is sent after two seconds with a third lost, or four
 * with a sixth; more again after ten quiet seconds. If that was too much, the next attempt waits twice
 * as long, up to 80 s.
 */
export class CongestionVerdict {
  #window = { sinceMs: Number.NEGATIVE_INFINITY, sent: 0, lost: 0 }
  #isHeavy = false
  #quietSinceMs = 0
  #quietMs = QUIET_MS
  #triedAtMs: number | undefined

  note({ sent, lost }: LossReport, nowMs: number): void {
    if (this.#window.sinceMs === Number.NEGATIVE_INFINITY) this.#window.sinceMs = nowMs
    if (nowMs < this.#window.sinceMs) return
    this.#window.sent += sent
    this.#window.lost += lost
  }

  /** To be asked about every half second. */
  judge(nowMs: number, { isReduced }: { isReduced: boolean }): Verdict {
    const lostShare = this.#takeWindow(nowMs)
    if (lostShare !== undefined && this.#isTooMuch(lostShare))
      return this.#sendLess(lostShare, nowMs)

    if (lostShare !== undefined && lostShare >= HEAVY_FROM) this.#quietSinceMs = nowMs
    this.#passTrial(nowMs)
    if (!isReduced || nowMs - this.#quietSinceMs < this.#quietMs) return undefined
    this.#triedAtMs = nowMs
    this.#startAnew(nowMs)
    return 'more'
  }

  /** The loss of the last two seconds; undefined before they are over, or when they say nothing. */
  #takeWindow(nowMs: number): number | undefined {
    const { sinceMs, sent, lost } = this.#window
    if (nowMs - sinceMs < WINDOW_MS || sent < PACKETS_MIN) return undefined
    this.#window = { sinceMs: nowMs, sent: 0, lost: 0 }
    return lost / sent
  }

  #isTooMuch(lostShare: number): boolean {
    const wasHeavy = this.#isHeavy
    this.#isHeavy = lostShare >= HEAVY_FROM
    return lostShare >= OVERFULL_FROM || (wasHeavy && this.#isHeavy)
  }

  #sendLess(lostShare: number, nowMs: number): Verdict {
    if (this.#triedAtMs !== undefined) this.#quietMs = Math.min(this.#quietMs * 2, QUIET_MAX_MS)
    this.#triedAtMs = undefined
    this.#startAnew(nowMs)
    return { lessBy: lostShare }
  }

  #startAnew(nowMs: number): void {
    this.#isHeavy = false
    this.#quietSinceMs = nowMs
    this.#window = { sinceMs: nowMs + BLIND_MS, sent: 0, lost: 0 }
  }

  #passTrial(nowMs: number): void {
    if (this.#triedAtMs === undefined || nowMs - this.#triedAtMs < QUIET_MS) return
    this.#triedAtMs = undefined
    this.#quietMs = QUIET_MS
  }
}
