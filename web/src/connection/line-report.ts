import type { LINE_REPORT_EVERY_SEC, LineQuality } from '@interview-room/contract/board.ts'
import type { LiveRequest } from '../live/live-request.ts'
import type { LiveRoom } from '../live/live-room.ts'
import type { Quality } from './call-state.ts'

/** The contract's own constant; imported as a value it would bring the schema library along. */
const EVERY_SEC: typeof LINE_REPORT_EVERY_SEC = 5

/** Tells the service how good the own line is, for the operators: when it changes, and not too often. */
export class LineReport {
  #request: LiveRequest | undefined
  #told: LineQuality | undefined
  #wanted: LineQuality | undefined
  #timer: ReturnType<typeof setTimeout> | undefined

  /** Reports for this visit, until it is closed. */
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
    if (this.#timer === undefined) void this.#tell()
  }

  #begin(request: LiveRequest | undefined): void {
    clearTimeout(this.#timer)
    this.#timer = undefined
    this.#told = undefined
    this.#wanted = undefined
    this.#request = request
  }

  async #tell(): Promise<void> {
    const [request, quality] = [this.#request, this.#wanted]
    if (request === undefined || quality === undefined || quality === this.#told) return
    // What changes meanwhile, and what could not be told, is told when the pause is over.
    this.#timer = setTimeout(() => {
      this.#timer = undefined
      void this.#tell()
    }, EVERY_SEC * 1000)
    const { ok } = await request<'reportLine'>('POST', '/line', { quality })
    if (ok && this.#request === request) this.#told = quality
  }
}
