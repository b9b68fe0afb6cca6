import { backoffMs } from './backoff.ts'
import type { LiveRequest } from './live-request.ts'
import type { LiveStore } from './store.ts'

interface HistoryTools {
  store: LiveStore
  request: LiveRequest
  /** Pauses after so many failures. */
  pause?: (failures: number) => Promise<void>
}

const pauseLonger = (failures: number) =>
  new Promise<void>((resolve) => setTimeout(resolve, backoffMs(failures, Math.random())))

/** Loads what was said so far. Final texts that came meanwhile as events are the same ones. */
export class UtteranceHistory {
  readonly #tools: HistoryTools
  #cursor = ''
  #isWanted = false
  #isLoading = false
  #isClosed = false

  constructor(tools: HistoryTools) {
    this.#tools = tools
  }

  /** Loads everything since the last time, and tries until the service has answered or the visit is over. */
  async load(): Promise<void> {
    this.#isWanted = true
    if (this.#isLoading) return
    this.#isLoading = true
    const { pause = pauseLonger } = this.#tools
    let failures = 0
    while (this.#isWanted && !this.#isClosed) {
      const outcome = await this.#loadPage()
      if (outcome === 'failed') await pause(failures++)
      else failures = 0
    }
    this.#isLoading = false
  }

  close(): void {
    this.#isClosed = true
  }

  async #loadPage(): Promise<'loaded' | 'failed'> {
    const { store, request } = this.#tools
    this.#isWanted = false
    const path =
      this.#cursor === ''
        ? '/transcript'
        : (`/transcript?after=${encodeURIComponent(this.#cursor)}` as const)
    const answer = await request<'readLiveTranscript'>('GET', path)
    if (!answer.ok) {
      this.#isWanted = true
      return 'failed'
    }
    const { items, cursor, has_more: hasMore } = answer.data
    this.#cursor = cursor
    store.addUtterances(items)
    if (hasMore) this.#isWanted = true
    return 'loaded'
  }
}
