import { ConnectionState, type LocalTrack, type Room, type RoomEvent } from 'livekit-client'
import { describe, expect, test } from 'vitest'
import { publishNew } from './publish-new.ts'

/** A room of the client library, with a device whose opening and publishing the test controls. */
function world(count = 1) {
  const seen: string[] = []
  const opening = Promise.withResolvers<void>()
  const publishing = Promise.withResolvers<void>()
  /** The ends of the attempts to publish, in turn. */
  const attempts: Promise<void>[] = []
  const listeners = new Set<(state: ConnectionState) => void>()
  const tracks = Array.from({ length: count }, () => ({ stop: () => seen.push('stop') }))
  const room = {
    state: ConnectionState.Connected,
    on: (_: RoomEvent, listener: (state: ConnectionState) => void) => listeners.add(listener),
    off: (_: RoomEvent, listener: (state: ConnectionState) => void) => listeners.delete(listener),
    localParticipant: {
      publishTrack: async () => {
        seen.push('publish')
        await (attempts.shift() ?? publishing.promise)
      },
    },
  }
  const open = async () => {
    seen.push('open')
    await opening.promise
    return tracks as unknown as LocalTrack[]
  }
  const become = (state: ConnectionState) => {
    room.state = state
    for (const listener of listeners) listener(state)
  }
  const leave = () => become(ConnectionState.Disconnected)
  const publish = async (prepare?: (track: LocalTrack) => Promise<void>) =>
    publishNew(room as unknown as Room, open, prepare)
  return { seen, listeners, opening, publishing, attempts, become, leave, publish }
}

describe('a device that is turned on', () => {
  test('is published, and no listener for the end of the room is left', async () => {
    const { seen, listeners, opening, publishing, publish } = world()
    opening.resolve()
    publishing.resolve()
    await publish(async () => void seen.push('prepare'))
    expect(seen).toEqual(['open', 'prepare', 'publish'])
    expect(listeners.size).toBe(0)
  })

  test('is released, and not published, if its owner leaves before the browser has opened it', async () => {
    const { seen, opening, leave, publish } = world()
    const published = publish()
    leave()
    opening.resolve()
    await expect(published).rejects.toThrow('left')
    expect(seen).toEqual(['open', 'stop'])
  })

  test('is released immediately if its owner leaves while it is being published', async () => {
    const { seen, opening, leave, publish } = world()
    const started = Promise.withResolvers<void>()
    opening.resolve()
    const published = publish(async () => started.resolve())
    await started.promise
    leave()
    await expect(published).rejects.toThrow('left')
    expect(seen).toContain('stop')
  })

  test('releases both tracks of a screen with sound', async () => {
    const { seen, opening, leave, publish } = world(2)
    const published = publish()
    leave()
    opening.resolve()
    await expect(published).rejects.toThrow('left')
    expect(seen).toEqual(['open', 'stop', 'stop'])
  })

  test('is released if it cannot be published', async () => {
    const { seen, opening, publishing, publish } = world()
    opening.resolve()
    publishing.reject(new Error('not allowed'))
    await expect(publish()).rejects.toThrow('not allowed')
    expect(seen).toEqual(['open', 'publish', 'stop'])
  })

  test('is published again when the connection is back, if an interruption ended the attempt', async () => {
    const { seen, listeners, opening, publishing, attempts, become, publish } = world()
    const first = Promise.withResolvers<void>()
    const started = Promise.withResolvers<void>()
    attempts.push(first.promise)
    opening.resolve()
    publishing.resolve()
    const published = publish(async () => started.resolve())
    await started.promise
    become(ConnectionState.Reconnecting)
    first.reject(new Error('no answer of the server'))
    await expect.poll(() => seen).toContain('stop')
    become(ConnectionState.Connected)
    await published
    expect(seen).toEqual(['open', 'publish', 'stop', 'open', 'publish'])
    expect(listeners.size).toBe(0)
  })

  test('is released if its owner leaves before the connection is back', async () => {
    const { seen, opening, attempts, become, leave, publish } = world()
    attempts.push(Promise.reject(new Error('no answer of the server')))
    opening.resolve()
    become(ConnectionState.SignalReconnecting)
    const published = publish()
    await expect.poll(() => seen).toContain('stop')
    leave()
    await expect(published).rejects.toThrow('left')
    expect(seen.filter((each) => each === 'publish')).toHaveLength(1)
  })
})
