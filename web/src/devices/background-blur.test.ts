import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { BackgroundBlur, BlurFailure } from './background-blur.ts'
import type { BlurredVideo } from './blurred-video.ts'

beforeEach(() => {
  vi.useFakeTimers()
})
afterEach(() => {
  vi.useRealTimers()
})

const CAMERA = { track: {} as MediaStreamTrack }

async function outcomeOf(start: Promise<void>): Promise<string> {
  return start.then(
    () => 'started',
    (error: unknown) => (error instanceof BlurFailure ? error.name : 'another error'),
  )
}

/** A browser in which the test decides if a video can be opened. */
function world() {
  const seen = { failures: 0, open: 0 }
  const pending: PromiseWithResolvers<BlurredVideo>[] = []
  const fails: (() => void)[] = []
  const blur = new BackgroundBlur(
    () => {
      seen.failures += 1
    },
    async (_, onFailure) => {
      fails.push(onFailure)
      const opening = Promise.withResolvers<BlurredVideo>()
      pending.push(opening)
      return opening.promise
    },
  )
  /** The video that was requested last. */
  const opens = () => {
    seen.open += 1
    const track = { stop: () => {}, id: `drawn ${pending.length}` } as unknown as MediaStreamTrack
    const close = async () => {
      seen.open -= 1
    }
    pending.at(-1)?.resolve({ track, close })
  }
  const refuses = () => pending.at(-1)?.reject(new Error('no WebAssembly'))
  return { blur, seen, opens, refuses, fails }
}

describe('a blur', () => {
  test('that starts has a picture, and releases everything at its end', async () => {
    const { blur, seen, opens } = world()
    const starting = blur.init(CAMERA)
    await vi.advanceTimersByTimeAsync(0)
    expect(blur.processedTrack).toBeUndefined()
    opens()
    await starting
    expect(blur.processedTrack).toMatchObject({ id: 'drawn 1' })
    await blur.destroy()
    // Without a processed track, the client library would send the original camera.
    expect(blur.processedTrack).toMatchObject({ id: 'drawn 1' })
    expect(seen).toEqual({ failures: 0, open: 0 })
  })

  test('that cannot start has no picture, and reports that to its caller', async () => {
    const { blur, seen, refuses } = world()
    const starting = outcomeOf(blur.init(CAMERA))
    await vi.advanceTimersByTimeAsync(0)
    refuses()
    expect(await starting).toBe('BlurFailure')
    expect(blur.processedTrack).toBeUndefined()
    expect(seen).toEqual({ failures: 0, open: 0 })
  })

  test('that takes too long has failed, and releases a video that arrives later', async () => {
    const { blur, seen, opens } = world()
    const starting = outcomeOf(blur.init(CAMERA))
    await vi.advanceTimersByTimeAsync(60_000)
    expect(await starting).toBe('BlurFailure')
    opens()
    await vi.advanceTimersByTimeAsync(0)
    expect(blur.processedTrack).toBeUndefined()
    expect(seen.open).toBe(0)
  })

  test('that is ended while it starts releases everything', async () => {
    const { blur, seen, opens } = world()
    const starting = outcomeOf(blur.init(CAMERA))
    await vi.advanceTimersByTimeAsync(0)
    await blur.destroy()
    opens()
    expect(await starting).toBe('BlurFailure')
    await vi.advanceTimersByTimeAsync(0)
    expect(seen).toEqual({ failures: 0, open: 0 })
  })

  test('that fails later ends, and is reported once', async () => {
    const { blur, seen, opens, fails } = world()
    const starting = blur.init(CAMERA)
    await vi.advanceTimersByTimeAsync(0)
    opens()
    await starting
    fails[0]?.()
    fails[0]?.()
    await vi.advanceTimersByTimeAsync(0)
    expect(seen).toEqual({ failures: 1, open: 0 })
  })

  test('of another camera ends the previous one, and is reported if it cannot start', async () => {
    const { blur, seen, opens, refuses, fails } = world()
    const starting = blur.init(CAMERA)
    await vi.advanceTimersByTimeAsync(0)
    opens()
    await starting
    const again = outcomeOf(blur.restart(CAMERA))
    await vi.advanceTimersByTimeAsync(0)
    expect(seen.open).toBe(0)
    fails[0]?.()
    refuses()
    expect(await again).toBe('BlurFailure')
    expect(seen).toEqual({ failures: 1, open: 0 })
  })

  test('of another camera that is turned off meanwhile does not count as failed', async () => {
    const { blur, seen, opens } = world()
    const again = outcomeOf(blur.restart(CAMERA))
    await vi.advanceTimersByTimeAsync(0)
    await blur.destroy()
    opens()
    expect(await again).toBe('BlurFailure')
    await vi.advanceTimersByTimeAsync(0)
    expect(seen).toEqual({ failures: 0, open: 0 })
  })
})
