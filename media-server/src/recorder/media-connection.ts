import type { SessionDescription } from '@livekit/protocol'
import type { Log } from '../log.ts'
import type { RtcOptions } from '../peer.ts'
import type { PublishedTrack } from '../published-track.ts'
import { Publisher } from '../publisher.ts'
import { createTaskQueue } from '../task-queue.ts'

interface MediaOptions {
  rtc: RtcOptions
  log: Log
  /** The track of this sid, once the server has told of it. */
  findTrack: (sid: string) => PublishedTrack | undefined
}

/** The answer to an offer of the server, and the tracks in it that we cannot receive. */
export interface MediaAnswer {
  sdp: string
  refusedSids: string[]
}

/** The connection on which the server sends the media of a room. */
export class MediaConnection {
  readonly #publisher: Publisher
  readonly #findTrack: MediaOptions['findTrack']
  readonly #sidsByMid = new Map<string, string>()
  // A restart throws away candidates that come before its description.
  readonly #line = createTaskQueue()
  readonly #described = Promise.withResolvers<void>()
  readonly #createdAtMs = performance.now()
  #activeAtMs = performance.now()

  constructor({ rtc, log, findTrack }: MediaOptions) {
    this.#findTrack = findTrack
    this.#publisher = new Publisher(rtc, {
      log,
      onActivity: () => {
        this.#activeAtMs = performance.now()
      },
      onConnected: () => {
        const tookMs = Math.round(performance.now() - this.#createdAtMs)
        log({ level: 'info', msg: 'media connected', tookMs })
      },
      onDataChannel: () => {},
    })
  }

  get hasConnected(): boolean {
    return this.#publisher.hasConnected
  }

  /** Since when nothing has come, of media or of anything else. */
  get silentMs(): number {
    return performance.now() - this.#activeAtMs
  }

  answer(offer: SessionDescription): Promise<MediaAnswer> {
    return this.#line(async () => {
      const { sdp, sections } = await this.#publisher.answer(offer.sdp)
      this.#sidsByMid.clear()
      const refusedSids: string[] = []
      for (const { mid, trackId, isSending } of sections) {
        const sid = offer.midToTrackId[mid] ?? trackId
        if (!isSending) continue
        if (isRefused(sdp, mid)) refusedSids.push(sid)
        else this.#sidsByMid.set(mid, sid)
      }
      this.attach()
      this.#described.resolve()
      return { sdp, refusedSids }
    })
  }

  /** Brings the media to the tracks that are known by now. */
  attach(): void {
    for (const [mid, sid] of this.#sidsByMid) {
      const track = this.#findTrack(sid)
      if (track !== undefined && this.#publisher.trackAt(mid) !== track) {
        this.#publisher.attach(mid, track)
      }
    }
  }

  async addCandidate(candidateInit: string): Promise<void> {
    if (this.hasConnected) return this.#line(() => this.#publisher.addCandidate(candidateInit))
    // Out of line: a second offer in it may wait for just this connection.
    await this.#described.promise
    return this.#publisher.addCandidate(candidateInit)
  }

  close(): Promise<void> {
    return this.#publisher.close()
  }
}

function isRefused(answerSdp: string, mid: string): boolean {
  const sections = answerSdp.split(/^m=/m)
  const section = sections.find((text) => text.split(/\r?\n/).includes(`a=mid:${mid}`))
  return section === undefined || /^\w+ 0 /.test(section)
}
