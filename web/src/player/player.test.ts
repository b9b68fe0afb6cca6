import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { Player } from './player.ts'

const LIFE_MS = 300_000

/** A video element without pictures: it reads a file at once, and plays when it is told to. */
class FakeVideo extends EventTarget {
  currentTime = 0
  duration = 3600
  paused = true
  ended = false
  seeking = false
  playbackRate = 1
  defaultPlaybackRate = 1
  preservesPitch = false
  volume = 1
  muted = false
  readonly loaded: string[] = []

  set src(url: string) {
    this.loaded.push(url)
    this.currentTime = 0
    this.paused = true
    this.dispatchEvent(new Event('loadedmetadata'))
  }

  get src(): string {
    return this.loaded.at(-1) ?? ''
  }

  play(): Promise<void> {
    this.paused = false
    this.dispatchEvent(new Event('playing'))
    return Promise.resolve()
  }

  pause(): void {
    if (this.paused) return
    this.paused = true
    this.dispatchEvent(new Event('pause'))
  }

  playTo(sec: number): void {
    this.currentTime = sec
    this.dispatchEvent(new Event('timeupdate'))
  }
}

let issued: string[]
let video: FakeVideo
let player: Player

async function open(options: { startSec?: number; trimStartSec?: number } = {}) {
  issued = []
  video = new FakeVideo()
  player = new Player({
    durationSec: 3600,
    startSec: 0,
    rate: 1,
    trimStartSec: 0,
    issue: (version) => {
      issued.push(version)
      return Promise.resolve({
        url: `https://files.example/${issued.length}`,
        expires_at: new Date(Date.now() + LIFE_MS).toISOString(),
        mime: 'video/mp4',
        size: null,
        duration_sec: 3600,
      })
    },
    ...options,
  })
  player.attach(video)
  await vi.advanceTimersByTimeAsync(0)
}

beforeEach(() => void vi.useFakeTimers())
afterEach(() => void vi.useRealTimers())

describe('the player', () => {
  test('opens at the second of the address, without playing', async () => {
    await open({ startSec: 754 })
    expect(video.currentTime).toBe(754)
    expect(player.store.get()).toMatchObject({ sec: 754, isPlaying: false })
    expect(video.preservesPitch).toBe(true)
  })

  test('has another address ready before the old one expires, and uses it at the next seek', async () => {
    await open()
    player.play()
    video.playTo(100)
    await vi.advanceTimersByTimeAsync(LIFE_MS - 29_000)
    expect(issued).toHaveLength(2)
    expect(video.loaded).toHaveLength(1)
    player.seek(500)
    await vi.advanceTimersByTimeAsync(0)
    expect(video.loaded).toEqual(['https://files.example/1', 'https://files.example/2'])
    expect(video).toMatchObject({ currentTime: 500, paused: false })
  })

  test('requests no address while it is paused, and one when it is played after the expiry', async () => {
    await open()
    player.seek(42)
    await vi.advanceTimersByTimeAsync(LIFE_MS * 3)
    expect(issued).toHaveLength(1)
    player.play()
    await vi.advanceTimersByTimeAsync(0)
    expect(video).toMatchObject({ currentTime: 42, paused: false })
    expect(issued).toHaveLength(2)
  })

  test('goes on at the same place with a new address after a failure', async () => {
    await open()
    player.play()
    video.playTo(77)
    video.dispatchEvent(new Event('error'))
    await vi.advanceTimersByTimeAsync(0)
    expect(video).toMatchObject({ currentTime: 77, paused: false })
    expect(player.store.get()).toMatchObject({ isPlaying: true, hasFailed: false })
  })

  test('gives up after three failures in a row, until somebody retries', async () => {
    await open()
    for (let tries = 0; tries < 3; tries += 1) {
      video.dispatchEvent(new Event('error'))
      await vi.advanceTimersByTimeAsync(0)
    }
    expect(player.store.get().hasFailed).toBe(true)
    player.retry()
    await vi.advanceTimersByTimeAsync(0)
    expect(player.store.get().hasFailed).toBe(false)
  })

  test('keeps the clock of the recording when the trimmed version plays', async () => {
    await open({ trimStartSec: 60 })
    player.seek(100)
    player.setVersion('processed')
    await vi.advanceTimersByTimeAsync(0)
    expect(issued).toEqual(['recorded', 'processed'])
    expect(video.currentTime).toBe(40)
    video.playTo(50)
    expect(player.store.get().sec).toBe(110)
  })

  test('jumps over silence only when asked to', async () => {
    await open()
    player.setSilences([{ startSec: 10, endSec: 30 }])
    player.play()
    video.playTo(12)
    expect(video.currentTime).toBe(12)
    player.setSkipsSilence(true)
    video.playTo(13)
    expect(video.currentTime).toBe(30)
  })

  test('plays a range, and stops at its end', async () => {
    await open()
    player.playRange({ startSec: 20, endSec: 22 })
    expect(video).toMatchObject({ currentTime: 20, paused: false })
    video.playTo(21.9)
    expect(video.paused).toBe(false)
    video.playTo(22.02)
    expect(video.paused).toBe(true)
    player.play()
    video.playTo(23)
    expect(video.paused).toBe(false)
  })

  test('starts again from the beginning after the end', async () => {
    await open()
    const onEnded = vi.fn<() => void>()
    player.onEnded(onEnded)
    player.play()
    video.dispatchEvent(new Event('ended'))
    expect(onEnded).toHaveBeenCalledOnce()
    player.play()
    expect(video.currentTime).toBe(0)
  })
})
