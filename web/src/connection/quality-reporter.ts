import type { QUALITY_REPORT_EVERY_SEC, ConnectionQuality } from '@interview-room/contract/board.ts'
import type { LiveRequest } from '../live/live-request.ts'
import type { LiveRoom } from '../live/live-room.ts'
import type { Quality } from './call-state.ts'

/** The contract's own constant. Importing it as a value would load the schema library, too. */
const EVERY_SEC: typeof QUALITY_REPORT_EVERY_SEC = 5

/** Reports the quality of this page's connection when it changes, at most every five seconds. */
export class QualityReporter {
  #request: LiveRequest | undefined
  #sent: ConnectionQuality | undefined
  #wanted: ConnectionQuality | undefined
  #timer: ReturnType<typeof setTimeout> | undefined

  /** Reports for this visit until the visit is closed. */
  follow(live: LiveRoom): LiveRoom {
    this.#begin(live.request)
    return {
      ...live,
      close: () => {
        if (this.#request === live.request) this.#begin(undefined)
        live.close()
      },
    }
  }

  heard(quality: Quality): void {
    if (quality === 'unknown') return
    this.#wanted = quality
    if (this.#timer === undefined) void this.#send()
  }

  #begin(request: LiveRequest | undefined): void {
    clearTimeout(this.#timer)
    this.#timer = undefined
    this.#sent = undefined
    this.#wanted = undefined
    this.#request = request
  }

  async #send(): Promise<void> {
    const [request, quality] = [this.#request, this.#wanted]
    if (request === undefined || quality === undefined || quality === this.#sent) return
    // After the pause it sends changes that happened meanwhile, and repeats a failed report.
    this.#timer = setTimeout(() => {
      this.#timer = undefined
      void this.#send()
    }, EVERY_SEC * 1000)
    const { ok } = await request<'reportConnectionQuality'>('POST', '/line', { quality })
    if (ok && this.#request === request) this.#sent = quality
  }
}
