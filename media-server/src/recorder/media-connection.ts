import type { SessionDescription } from '@livekit/protocol'
import type { Log } from '../lib/log.ts'
import { createTaskQueue } from '../lib/task-queue.ts'
import { InboundConnection } from '../rtc/inbound-connection.ts'
import type { InboundTrack } from '../rtc/inbound-track.ts'
import type { RtcOptions } from '../rtc/peer.ts'

interface MediaOptions {
  rtc: RtcOptions
  log: Log
  /** The track of this sid, once the server has announced it. */
  findTrack: (sid: string) => InboundTrack | undefined
  onConnected: () => void
}

/** The connection on which the server sends the media of a room. */
export class MediaConnection {
  readonly #connection: InboundConnection<InboundTrack>
  readonly #findTrack: MediaOptions['findTrack']
  readonly #sidsByMid = new Map<string, string>()
  // A restart throws away candidates that come before its description.
  readonly #line = createTaskQueue()
  readonly #described = Promise.withResolvers<void>()
  readonly #createdAtMs = performance.now()
  #activeAtMs = performance.now()

  constructor({ rtc, log, findTrack, onConnected }: MediaOptions) {
    this.#findTrack = findTrack
    this.#connection = new InboundConnection(rtc, {
      log,
      repairsSound: true,
      onActivity: () => {
        this.#activeAtMs = performance.now()
      },
      onConnected: () => {
        const tookMs = Math.round(performance.now() - this.#createdAtMs)
        log({ level: 'info', msg: 'media connected', tookMs })
        onConnected()
      },
      onDataChannel: () => {},
    })
  }

  get hasConnected(): boolean {
    return this.#connection.hasConnected
  }

  /** Since when nothing has come, of media or of anything else. */
  get silentMs(): number {
    return performance.now() - this.#activeAtMs
  }

  /** The answer to an offer of the server. */
  answer(offer: SessionDescription): Promise<string> {
    return this.#line(async () => {
      const { sdp, sections } = await this.#connection.answer(offer.sdp)
      this.#sidsByMid.clear()
      for (const { mid, trackId, isSending } of sections) {
        if (isSending) this.#sidsByMid.set(mid, offer.midToTrackId[mid] ?? trackId)
      }
      this.attach()
      this.#described.resolve()
      return sdp
    })
  }

  /** Brings the media to the tracks that are known by now. */
  attach(): void {
    for (const [mid, sid] of this.#sidsByMid) {
      const track = this.#findTrack(sid)
      if (track !== undefined && this.#connection.trackAt(mid) !== track) {
        this.#connection.attach(mid, track)
      }
    }
  }

  async addCandidate(candidateInit: string): Promise<void> {
    if (this.hasConnected) return this.#line(() => this.#connection.addCandidate(candidateInit))
    // Out of line: a second offer in it may wait for just this connection.
    await this.#described.promise
    return this.#connection.addCandidate(candidateInit)
  }

  close(): Promise<void> {
    return this.#connection.close()
  }
}
