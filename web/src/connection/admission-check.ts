import type { AdmissionCheckBody } from '@interview-room/contract/admission-check.ts'
import type { CallEvent, CallState } from './call-state.ts'
import type { CheckedCredential, LiveApi } from './live-api.ts'
import type { TooEarly } from './refusal.ts'

interface CheckTools {
  api: Pick<LiveApi, 'check'>
  state: () => CallState
  apply: (event: CallEvent) => void
}

/**
 * Asks if the person may enter, without entering: before a camera is requested, and again while they wait for the
 * room to open.
 */
export class AdmissionCheck {
  readonly #tools: CheckTools
  #credential: CheckedCredential | undefined
  #turn = 0
  #running: Promise<void> | undefined

  constructor(tools: CheckTools) {
    this.#tools = tools
  }

  async begin(credential: CheckedCredential): Promise<void> {
    this.#credential = credential
    await this.#ask(credential)
  }

  /**
   * Waits for a pending answer instead of asking again. Otherwise frequent calls on a slow connection would never get
   * one.
   */
  async again(): Promise<void> {
    if (this.#credential === undefined) return
    await (this.#running ?? this.#ask(this.#credential))
  }

  async #ask(credential: CheckedCredential): Promise<void> {
    const running = this.#check(credential)
    this.#running = running
    try {
      await running
    } finally {
      if (this.#running === running) this.#running = undefined
    }
  }

  async #check(credential: CheckedCredential): Promise<void> {
    const { api, state, apply } = this.#tools
    if (!mayCheck(state())) return
    const turn = ++this.#turn
    apply({ type: 'checking' })
    const answer = await api.check(credential)
    if (turn !== this.#turn || !mayCheck(state())) return
    if (!answer.ok) {
      // A waiting person keeps waiting while the service cannot be reached.
      const isWaiting = state().phase !== 'checking'
      if (isWaiting && answer.refusal.page === 'unavailable') return
      return apply({ type: 'refused', refusal: answer.refusal })
    }
    const preview = answer.data
    const early = earlyOf(preview, Date.now())
    apply(early === null ? { type: 'checked', preview } : { type: 'refused', refusal: early })
  }
}

/** False on the way in, and in the room. */
function mayCheck({ phase }: CallState): boolean {
  return phase === 'checking' || phase === 'refused'
}

/** The moment of opening on this machine's clock, which may be wrong. */
function earlyOf(preview: AdmissionCheckBody, localNowMs: number): TooEarly | null {
  const { is_open, now, opens_at, closes_at } = preview
  if (is_open || opens_at === null || closes_at === null) return null
  return {
    page: 'too-early',
    code: 'OUTSIDE_TIME_WINDOW',
    opensAt: new Date(opens_at),
    closesAt: new Date(closes_at),
    opensAtLocalMs: localNowMs + Date.parse(opens_at) - Date.parse(now),
    preview,
  }
}
