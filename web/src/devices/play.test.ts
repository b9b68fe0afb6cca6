import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { playOnce, recordVoice } from './play.ts'

const SOUND = new Blob(['sound'])

class FakeAudio extends EventTarget {
  isPlaying = false
  async play(): Promise<void> {
    this.isPlaying = true
  }
  pause(): void {
    this.isPlaying = false
  }
}

class FakeRecorder extends EventTarget {
  state: 'inactive' | 'recording' = 'inactive'
  mimeType = 'audio/webm'
  start(): void {
    this.state = 'recording'
  }
  stop(): void {
    this.state = 'inactive'
    const data = new Blob(['voice'])
    this.dispatchEvent(Object.assign(new Event('dataavailable'), { data }))
    this.dispatchEvent(new Event('stop'))
  }
}

let audio: FakeAudio
let recorder: FakeRecorder

beforeEach(() => {
  vi.useFakeTimers()
  audio = new FakeAudio()
  recorder = new FakeRecorder()
  // The code calls it with `new`, and an arrow function is not a constructor.
  vi.stubGlobal('Audio', function Audio() {
    return audio
  })
  vi.stubGlobal('MediaRecorder', function MediaRecorder() {
    return recorder
  })
  vi.stubGlobal('MediaStream', EventTarget)
})
afterEach(() => {
  vi.useRealTimers()
  vi.unstubAllGlobals()
})

describe('a sound', () => {
  test('is played to its end', async () => {
    const playing = playOnce(SOUND, { stopped: new AbortController().signal })
    await vi.advanceTimersByTimeAsync(0)
    expect(audio.isPlaying).toBe(true)
    audio.dispatchEvent(new Event('ended'))
    await playing
  })

  test('ends when the system stops it, as for a phone call', async () => {
    const playing = playOnce(SOUND)
    await vi.advanceTimersByTimeAsync(0)
    audio.dispatchEvent(new Event('pause'))
    const waiting = new Promise((resolve) => {
      setTimeout(() => resolve('still waiting'), 60_000)
    })
    const end = Promise.race([playing.then(() => 'over'), waiting])
    await vi.advanceTimersByTimeAsync(60_000)
    expect(await end).toBe('over')
  })

  test('stops when the component is gone, and does not count as played', async () => {
    const leaving = new AbortController()
    const playing = playOnce(SOUND, { stopped: leaving.signal })
    await vi.advanceTimersByTimeAsync(0)
    leaving.abort()
    await expect(playing).rejects.toThrow('aborted')
    expect(audio.isPlaying).toBe(false)
  })

  test('does not start when the component is gone', async () => {
    await expect(playOnce(SOUND, { stopped: AbortSignal.abort() })).rejects.toThrow('aborted')
    expect(audio.isPlaying).toBe(false)
  })
})

describe('a recorded voice', () => {
  const track = {} as MediaStreamTrack

  test('has the requested length', async () => {
    const recording = recordVoice(track, 4_000, new AbortController().signal)
    await vi.advanceTimersByTimeAsync(3_999)
    expect(recorder.state).toBe('recording')
    await vi.advanceTimersByTimeAsync(1)
    expect(await (await recording).text()).toBe('voice')
  })

  test('is aborted when the component is gone', async () => {
    const leaving = new AbortController()
    const recording = recordVoice(track, 4_000, leaving.signal)
    leaving.abort()
    expect(recorder.state).toBe('inactive')
    await expect(recording).rejects.toThrow('aborted')
    await vi.advanceTimersByTimeAsync(4_000)
  })
})
