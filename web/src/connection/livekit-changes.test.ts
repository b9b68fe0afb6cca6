import { LocalTrackPublication, LocalVideoTrack, Room, RoomEvent, Track } from 'livekit-client'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { watchChanges } from './livekit-changes.ts'

class FakeDevice extends EventTarget {
  readonly kind = 'video'
  readyState = 'live'
  getSettings = () => ({})
  getConstraints = () => ({})
  stop(): void {}
}

beforeEach(() => {
  vi.stubGlobal('MediaStream', EventTarget)
  vi.stubGlobal('MediaStreamTrack', FakeDevice)
  vi.stubGlobal('navigator', { userAgent: '' })
})
afterEach(() => {
  vi.unstubAllGlobals()
})

/** The private methods of the provider's client that work without a server. */
interface Inside {
  maybeCreateEngine(): void
  setupLocalParticipantEvents(): void
  setAndEmitConnectionState(state: string): void
  handleDisconnect(): void
}

/** A connected room of the provider's client, with the camera on. */
async function world() {
  const room = new Room()
  const me = room.localParticipant
  const seen: string[] = []
  watchChanges(room, () => seen.push(`camera ${me.isCameraEnabled ? 'on' : 'off'}`))
  room.on(RoomEvent.Disconnected, () => seen.push('ended'))
  const device = new FakeDevice() as unknown as MediaStreamTrack
  const camera = new LocalVideoTrack(device, undefined, false)
  await vi.waitFor(() => expect(camera.mediaStream).toBeDefined())
  camera.source = Track.Source.Camera
  const info = { sid: 'TR_1', source: Track.sourceToProto(camera.source) } as never
  const publication = new LocalTrackPublication(Track.Kind.Video, info, camera)
  me.trackPublications.set('TR_1', publication)
  me.videoTrackPublications.set('TR_1', publication)
  const inside = room as unknown as Inside
  inside.maybeCreateEngine()
  inside.setupLocalParticipantEvents()
  inside.setAndEmitConnectionState('connected')
  return { room, seen, end: () => inside.handleDisconnect() }
}

test('changes at the same time are reported as one change', async () => {
  const { room, seen } = await world()
  room.emit(RoomEvent.ActiveSpeakersChanged, [])
  room.emit(RoomEvent.AudioPlaybackStatusChanged, true)
  await Promise.resolve()
  room.emit(RoomEvent.ActiveSpeakersChanged, [])
  await Promise.resolve()
  expect(seen).toEqual(['camera on', 'camera on'])
})

test('a connection that ends turns nothing off, though it removes everything before it reports the end', async () => {
  const { room, seen, end } = await world()
  end()
  await Promise.resolve()
  expect(room.localParticipant.isCameraEnabled).toBe(false)
  expect(seen).toEqual(['ended'])
})
