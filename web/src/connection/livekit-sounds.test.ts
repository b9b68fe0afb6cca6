import { type RemoteTrack, Room, RoomEvent, Track } from 'livekit-client'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { playSounds } from './livekit-sounds.ts'

const inPage = new Set<object>()

class FakeElement {
  hidden = false
  remove(): void {
    inPage.delete(this)
  }
}

beforeEach(() => {
  vi.stubGlobal('navigator', { userAgent: '' })
  vi.stubGlobal('document', { body: { append: (element: object) => inPage.add(element) } })
})
afterEach(() => {
  vi.unstubAllGlobals()
})

/** Like the provider's client, it has detached everything before it reports the end of the track. */
function voice(): RemoteTrack {
  const track = { kind: Track.Kind.Audio, attach: () => new FakeElement(), detach: () => [] }
  return track as unknown as RemoteTrack
}

test('the element of a voice exists as long as the voice', () => {
  const room = new Room()
  playSounds(room)
  const [one, other] = [voice(), voice()]
  for (const track of [one, other])
    room.emit(RoomEvent.TrackSubscribed, track, {} as never, {} as never)
  expect([...inPage]).toEqual([{ hidden: true }, { hidden: true }])
  room.emit(RoomEvent.TrackUnsubscribed, one, {} as never, {} as never)
  expect(inPage.size).toBe(1)
  room.emit(RoomEvent.TrackUnsubscribed, other, {} as never, {} as never)
  expect(inPage.size).toBe(0)
})
