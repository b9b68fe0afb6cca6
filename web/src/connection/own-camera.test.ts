import { ConnectionState, type Room, RoomEvent, Track } from 'livekit-client'
import { describe, expect, test, vi } from 'vitest'
import { OwnCamera } from './own-camera.ts'

const WAIT = { timeout: 60_000 }

type Listener = (...facts: unknown[]) => void

/** A room of the client library that logs what happens to its camera. */
function world({ isBlurWanted }: { isBlurWanted: boolean }) {
  const seen: string[] = []
  const fakes = {
    canBlur: true,
    isStarting: false,
    blurTakes: Promise.resolve(),
    openingTakes: Promise.resolve(),
  }
  const listeners = new Map<RoomEvent, Listener>()
  let published: ReturnType<typeof newTrack> | undefined

  function newTrack() {
    let processor: object | undefined
    return {
      isMuted: false,
      getProcessor: () => processor,
      setProcessor: async () => {
        if (!fakes.canBlur) throw new Error('no WebAssembly')
        fakes.isStarting = true
        await fakes.blurTakes
        seen.push('blur')
        processor = { destroy: async () => seen.push('rest') }
      },
      stopProcessor: async () => {
        seen.push('no blur')
        processor = undefined
      },
      stop: () => seen.push('stop'),
    }
  }

  const localParticipant = {
    getTrackPublication: () => published && { videoTrack: published },
    createTracks: async () => {
      await fakes.openingTakes
      return [newTrack()]
    },
    publishTrack: async (track: ReturnType<typeof newTrack>) => {
      seen.push('publish')
      published = track
    },
    unpublishTrack: async () => {
      seen.push('unpublish')
      published = undefined
    },
    setCameraEnabled: async (isOn: boolean) => {
      seen.push(isOn ? 'on' : 'off')
      if (isOn) published ??= newTrack()
      if (published === undefined) return
      published.isMuted = !isOn
      if (!isOn)
        listeners.get(RoomEvent.TrackMuted)?.({ source: Track.Source.Camera }, { isLocal: true })
    },
  }
  const on = (event: RoomEvent, listener: Listener) => listeners.set(event, listener)
  const off = (event: RoomEvent) => listeners.delete(event)
  const room = { localParticipant, on, off, state: ConnectionState.Connected }
  const camera = new OwnCamera(room as unknown as Room, isBlurWanted, () => {})
  const leave = () => {
    room.state = ConnectionState.Disconnected
    listeners.get(RoomEvent.ConnectionStateChanged)?.(room.state)
  }
  return { camera, seen, fakes, leave }
}

describe('a camera whose background is to be blurred', () => {
  test('is published with its blur, and never before', async () => {
    const { camera, seen } = world({ isBlurWanted: true })
    await camera.set(true)
    expect(seen).toEqual(['blur', 'publish'])
  })

  test('is not published if it cannot be blurred, also at the next attempt', async () => {
    const { camera, seen, fakes } = world({ isBlurWanted: true })
    fakes.canBlur = false
    await expect(camera.set(true)).rejects.toThrow('no WebAssembly')
    await expect(camera.set(true)).rejects.toThrow('no WebAssembly')
    expect(seen).toEqual(['stop', 'stop'])
  })

  test('is turned off if it is on and cannot be blurred, and comes back only with its blur', async () => {
    const { camera, seen, fakes } = world({ isBlurWanted: false })
    await camera.set(true)
    fakes.canBlur = false
    await expect(camera.blur(true)).rejects.toThrow('no WebAssembly')
    expect(seen).toEqual(['publish', 'off'])
    await expect(camera.set(true)).rejects.toThrow('no WebAssembly')
    expect(seen.slice(2)).toEqual(['unpublish', 'stop'])
    fakes.canBlur = true
    await camera.set(true)
    expect(seen.slice(4)).toEqual(['blur', 'publish'])
  })

  test('is released, and not published, if its owner leaves before the blur has started', async () => {
    const { camera, seen, fakes, leave } = world({ isBlurWanted: true })
    const { promise, resolve } = Promise.withResolvers<void>()
    fakes.blurTakes = promise
    const starting = camera.set(true).catch(String)
    await vi.waitFor(() => expect(fakes.isStarting).toBe(true), WAIT)
    leave()
    expect(seen).toEqual(['stop'])
    resolve()
    expect(await starting).toBe('Error: left')
    expect(seen).not.toContain('publish')
  })

  test('computes nothing while it is off, and starts again with the camera', async () => {
    const { camera, seen } = world({ isBlurWanted: true })
    await camera.set(true)
    await camera.set(false)
    await camera.set(true)
    expect(seen).toEqual(['blur', 'publish', 'off', 'rest', 'on'])
  })
})

test('a camera is released if its owner leaves before the browser has opened it', async () => {
  const { camera, seen, fakes, leave } = world({ isBlurWanted: false })
  const { promise, resolve } = Promise.withResolvers<void>()
  fakes.openingTakes = promise
  const starting = camera.set(true).catch(String)
  leave()
  resolve()
  expect(await starting).toBe('Error: left')
  expect(seen).toEqual(['stop'])
})

describe('the choice', () => {
  test('changes a camera while it is being sent', async () => {
    const { camera, seen } = world({ isBlurWanted: false })
    await camera.set(true)
    await camera.blur(true)
    await camera.blur(true)
    await camera.blur(false)
    expect(seen).toEqual(['publish', 'blur', 'no blur'])
  })

  test('waits for a camera that is off', async () => {
    const { camera, seen } = world({ isBlurWanted: true })
    await camera.blur(false)
    await camera.set(true)
    await camera.set(false)
    await camera.blur(true)
    expect(seen).toEqual(['publish', 'off'])
    await camera.set(true)
    expect(seen.slice(2)).toEqual(['unpublish', 'blur', 'publish'])
  })

  test('is applied if it is made while the camera starts', async () => {
    const { camera, seen } = world({ isBlurWanted: false })
    await Promise.all([camera.set(true), camera.blur(true)])
    expect(seen).toEqual(['blur', 'publish'])
  })
})
