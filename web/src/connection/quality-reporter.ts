import type { QUALITY_REPORT_EVERY_SEC, ConnectionQuality } from '@interview-room/contract/board.ts'
import type { LiveRequest } from '../live/live-request.ts'
import type { LiveRoom } from '../live/live-room.ts'
import type { Quality } from './call-state.ts'

/** The contract's own constant. Importing it as a value would load the schema library, too. */
const EVERY_SEC: typeof QUALITY_REPORT_EVERY_SEC = 5

interface Report {
  quality: ConnectionQuality
  is_microphone_silent: boolean
}

/** Reports this page's connection and microphone when they change, at most every five seconds. */
export class QualityReporter {
  #request: LiveRequest | undefined
  #sent: Report | undefined
  #quality: ConnectionQuality | undefined
  #isSilent = false
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
    this.#quality = quality
    if (this.#timer === undefined) void this.#send()
  }

  /** The microphone sends no sound, or is heard again. */
  silent(isSilent: boolean): void {
    this.#isSilent = isSilent
    if (this.#timer === undefined) void this.#send()
  }

  #begin(request: LiveRequest | undefined): void {
    clearTimeout(this.#timer)
    this.#timer = undefined
    this.#sent = undefined
    this.#quality = undefined
    this.#isSilent = false
    this.#request = request
  }

  async #send(): Promise<void> {
    const [request, quality] = [this.#request, this.#quality]
    if (request === undefined || quality === undefined) return
    const report = { quality, is_microphone_silent: this.#isSilent }
    if (isSame(report, this.#sent)) return
    // After the pause it sends changes that happened meanwhile, and repeats a failed report.
    this.#timer = setTimeout(() => {
      this.#timer = undefined
      void this.#send()
    }, EVERY_SEC * 1000)
    const { ok } = await request<'reportConnectionQuality'>('POST', '/line', report)
    if (ok && this.#request === request) this.#sent = report
  }
}

function isSame(one: Report, other: Report | undefined): boolean {
  return one.quality === other?.quality && one.is_microphone_silent === other.is_microphone_silent
}
