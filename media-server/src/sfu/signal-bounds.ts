import { type SessionDescription, SignalTarget } from '@livekit/protocol'
import { CANDIDATES_MAX } from '../rtc/peer.ts'
import type { SignalDemand } from './signal-socket.ts'

/** A longer message is not read. Browsers' descriptions of all that an interview needs are a third of that. */
export const MESSAGE_MAX_BYTES = 128 * 1024
/** Limit of a client's offer. */
const MEDIA_SECTIONS_MAX = 40
// The library takes time for these by the square of their number.
const STREAM_LINES_MAX = 1000
// One is being processed; a client that resumed may offer again, and a third time on an ICE restart.
const OFFERS_AT_ONCE_MAX = 3
const MESSAGES = { burst: 500, perSec: 50 }
const OFFERS = { burst: 30, perSec: 1 }

const STREAM_LINE = /^a=(?:ssrc|ssrc-group|rid):/gm
const MEDIA_SECTION = /^m=/gm
const ICE_NAME = /^a=ice-ufrag:(\S+)/m

/** Bounds of one client's demands on the thread that serves all rooms, however many sockets it has. */
export class SignalBounds {
  readonly #messages = new Allowance(MESSAGES)
  readonly #offers = new Allowance(OFFERS)
  readonly #trickled = new Map<SignalTarget, number>()
  readonly #iceNames = new Map<SignalTarget, string>()
  #offersAtOnce = 0

  /** True while one more message is taken, of whatever kind. */
  takeMessage(nowMs: number): boolean {
    return this.#messages.take(nowMs)
  }

  /**
   * Names the bound that the demand breaks; undefined: none. To be asked once for each demand, before it is
   * worked at.
   * @param sectionsOffered how many media sections our own latest offer has: an answer has no more.
   */
  breachOf(
    demand: SignalDemand,
    { nowMs, sectionsOffered }: { nowMs: number; sectionsOffered: number },
  ): string | undefined {
    if (demand.case === 'offer') {
      if (!this.#offers.take(nowMs)) return 'too many offers'
      if (this.#offersAtOnce >= OFFERS_AT_ONCE_MAX) return 'too many concurrent offers'
      return this.#breachOfDescription(SignalTarget.PUBLISHER, demand.value, MEDIA_SECTIONS_MAX)
    }
    if (demand.case === 'answer') {
      return this.#breachOfDescription(SignalTarget.SUBSCRIBER, demand.value, sectionsOffered)
    }
    return undefined
  }

  /**
   * True while one more candidate is taken. Candidates beyond are left out, which is no reason to refuse the client:
   * one with several addresses gathers for each media section, over UDP and TCP, before it knows that one
   * transport carries all. Those of descriptions are left out where the description is applied.
   */
  takesCandidate(target: SignalTarget): boolean {
    const trickled = (this.#trickled.get(target) ?? 0) + 1
    this.#trickled.set(target, trickled)
    return trickled <= CANDIDATES_MAX
  }

  /** Lets the next offer in once this one is answered or has failed. */
  async whileOffering(answer: () => Promise<void>): Promise<void> {
    try {
      await answer()
    } finally {
      this.#offersAtOnce--
    }
  }

  #breachOfDescription(
    target: SignalTarget,
    { sdp }: SessionDescription,
    sectionsMax: number,
  ): string | undefined {
    if (countOf(sdp, MEDIA_SECTION) > sectionsMax) return 'too many media sections'
    if (countOf(sdp, STREAM_LINE) > STREAM_LINES_MAX) return 'too many streams'
    const iceName = ICE_NAME.exec(sdp)?.[1] ?? ''
    if (this.#iceNames.get(target) !== iceName) this.#trickled.delete(target)
    this.#iceNames.set(target, iceName)
    if (target === SignalTarget.PUBLISHER) this.#offersAtOnce++
    return undefined
  }
}

function countOf(text: string, pattern: RegExp): number {
  return text.match(pattern)?.length ?? 0
}

/** A burst of so many, and so many a second on average. */
class Allowance {
  readonly #limits: { burst: number; perSec: number }
  #left: number
  #countedAtMs = 0

  constructor(limits: { burst: number; perSec: number }) {
    this.#limits = limits
    this.#left = limits.burst
  }

  take(nowMs: number): boolean {
    const { burst, perSec } = this.#limits
    const regained = (Math.max(0, nowMs - this.#countedAtMs) / 1000) * perSec
    this.#left = Math.min(burst, this.#left + regained)
    this.#countedAtMs = nowMs
    if (this.#left < 1) return false
    this.#left--
    return true
  }
}
