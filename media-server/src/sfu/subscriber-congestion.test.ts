import { describe, expect, test } from 'vitest'
import { SubscriberCongestion, type AdaptedVideo } from './subscriber-congestion.ts'

const REVIEW_MS = 500
const PACKETS_PER_REVIEW = 25

/** A video whose layers send so many bytes with each review; the last is the largest. */
class PlayedVideo implements AdaptedVideo {
  readonly isScreen: boolean
  readonly #layers: readonly number[]
  #at: number

  constructor(layers: readonly number[], isScreen = false) {
    this.#layers = layers
    this.#at = layers.length - 1
    this.isScreen = isScreen
  }

  get bytes(): number {
    return this.#layers[this.#at] ?? 0
  }

  get isPaused(): boolean {
    return this.#at < 0
  }

  takeSentBytes(): number {
    return this.bytes
  }

  stepDown(canPause: boolean): boolean {
    if (this.#at < 0 || (this.#at === 0 && !canPause)) return false
    this.#at--
    return true
  }

  stepUp(): void {
    this.#at++
  }
}

/** A connection that carries so many bytes between two reviews, the voice included; all times are played. */
class PlayedConnection {
  readonly congestion = new SubscriberCongestion<PlayedVideo>()
  readonly changes: { video: PlayedVideo; isPaused: boolean; atMs: number }[] = []
  readonly #videos: readonly PlayedVideo[]
  readonly #canPause: boolean
  carries = Number.POSITIVE_INFINITY
  /** Share that is lost by chance. */
  lostShare = 0
  nowMs = 0

  constructor(videos: readonly PlayedVideo[], canPause = true) {
    this.#videos = videos
    this.#canPause = canPause
  }

  run(sec: number): void {
    for (const endMs = this.nowMs + sec * 1000; this.nowMs < endMs;) {
      this.nowMs += REVIEW_MS
      const bytes = this.#videos.reduce((sum, video) => sum + video.bytes, 0)
      const overflow = bytes > this.carries ? 1 - this.carries / bytes : 0
      const lost = Math.round(PACKETS_PER_REVIEW * Math.max(overflow, this.lostShare))
      this.congestion.note({ sent: PACKETS_PER_REVIEW, lost }, this.nowMs)
      const changed = this.congestion.review(this.#videos, this.#canPause, this.nowMs)
      for (const video of changed) {
        this.changes.push({ video, isPaused: video.isPaused, atMs: this.nowMs })
      }
    }
  }
}

describe('a subscriber whose connection carries less than is sent', () => {
  test('gets no video after some seconds, and again ten seconds after the connection is good', () => {
    const camera = new PlayedVideo([50_000])
    const network = new PlayedConnection([camera])
    network.run(10)
    expect(camera.isPaused).toBe(false)

    network.carries = 5000
    network.run(4)
    expect(camera.isPaused).toBe(true)
    network.carries = Number.POSITIVE_INFINITY
    network.run(12)
    expect(camera.isPaused).toBe(false)
    expect(network.changes.map(({ isPaused }) => isPaused)).toEqual([true, false])
  })

  test('gets a smaller layer where there is one', () => {
    const camera = new PlayedVideo([5000, 20_000, 80_000])
    const network = new PlayedConnection([camera])
    network.carries = 25_000
    network.run(8)
    expect(camera.bytes).toBe(20_000)
    expect(network.changes).toEqual([])
  })

  test('keeps a shared screen, and as many cameras as the connection carries', () => {
    const [screen, large, small] = [
      new PlayedVideo([60_000], true),
      new PlayedVideo([50_000]),
      new PlayedVideo([20_000]),
    ]
    const network = new PlayedConnection([screen, large, small])
    network.carries = 90_000
    network.run(8)
    expect([screen, large, small].map(({ isPaused }) => isPaused)).toEqual([false, true, false])
  })

  test('is probed after 10, 20, 40 and then every 80 seconds', () => {
    const camera = new PlayedVideo([50_000])
    const network = new PlayedConnection([camera])
    network.carries = 5000
    network.run(320)
    const pauses = network.changes.filter(({ isPaused }) => isPaused)
    const resumes = network.changes.filter(({ isPaused }) => !isPaused)
    const waits = resumes.map(({ atMs }, at) => (atMs - (pauses[at]?.atMs ?? 0)) / 1000)
    expect(waits).toEqual([10, 20, 40, 80, 80])
  })

  test('keeps its only layer when its client allows no pause', () => {
    const camera = new PlayedVideo([50_000])
    const network = new PlayedConnection([camera], false)
    network.carries = 5000
    network.run(20)
    expect(camera.isPaused).toBe(false)
    expect(network.congestion.isReduced).toBe(false)
  })
})

test('a connection that randomly loses a tenth keeps its video', () => {
  const camera = new PlayedVideo([50_000])
  const network = new PlayedConnection([camera])
  network.lostShare = 0.1
  network.run(60)
  expect(network.changes).toEqual([])
})
