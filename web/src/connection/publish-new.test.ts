import { ConnectionState, type LocalTrack, type Room, type RoomEvent } from 'livekit-client'
import { describe, expect, test } from 'vitest'
import { publishNew } from './publish-new.ts'

/** A room of the client library, with a device whose opening and publishing the test controls. */
function world(count = 1) {
  const seen: string[] = []
  const opening = Promise.withResolvers<void>()
  const publishing = Promise.withResolvers<void>()
  const listeners = new Set<() => void>()
  const tracks = Array.from({ length: count }, () => ({ stop: () => seen.push('stop') }))
  const room = {
    state: ConnectionState.Connected,
    on: (_: RoomEvent, listener: () => void) => listeners.add(listener),
    off: (_: RoomEvent, listener: () => void) => listeners.delete(listener),
    localParticipant: {
      publishTrack: async () => {
        seen.push('publish')
        await publishing.promise
      },
    },
  }
  const open = async () => {
    seen.push('open')
    await opening.promise
    return tracks as unknown as LocalTrack[]
  }
  const leave = () => {
    room.state = ConnectionState.Disconnected
    for (const listener of listeners) listener()
  }
  const publish = async (prepare?: (track: LocalTrack) => Promise<void>) =>
    publishNew(room as unknown as Room, open, prepare)
  return { seen, listeners, opening, publishing, leave, publish }
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
})
