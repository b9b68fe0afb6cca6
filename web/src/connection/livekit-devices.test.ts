import {
  LocalAudioTrack,
  type LocalTrack,
  LocalTrackPublication,
  LocalVideoTrack,
  Room,
  RoomEvent,
  Track,
  TrackEvent,
  VideoPresets,
} from 'livekit-client'
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { endSilence, flipCamera, switchDevice, watchDevices } from './livekit-devices.ts'
import type { MediaEvents } from './media-room.ts'

const WAIT = { timeout: 60_000 }

type Kind = 'microphone' | 'camera'

/** Devices that another program is using. */
let busy = new Set<string>()

class FakeTrack extends EventTarget {
  readonly id = crypto.randomUUID()
  readonly muted = false
  readonly kind: 'audio' | 'video'
  readonly deviceId: string
  readyState = 'live'
  enabled = true
  constructor(kind: 'audio' | 'video', deviceId: string) {
    super()
    this.kind = kind
    this.deviceId = deviceId
  }
  stop(): void {
    this.readyState = 'ended'
  }
  getConstraints(): MediaTrackConstraints {
    return {}
  }
  async applyConstraints(): Promise<void> {}
  getSettings(): MediaTrackSettings {
    const facingMode = this.deviceId === 'back' ? 'environment' : 'user'
    return { ...VideoPresets.h360.resolution, deviceId: this.deviceId, facingMode }
  }
}

interface Request {
  deviceId?: string | { exact?: string }
  facingMode?: string
}

/** Chooses a device as a browser does: the named one, the one facing that way, or the first. */
function deviceOf({ deviceId, facingMode }: Request): string {
  const named = typeof deviceId === 'object' ? deviceId.exact : deviceId
  return named ?? (facingMode === 'environment' ? 'back' : 'first')
}

beforeEach(() => {
  busy = new Set()
  vi.stubGlobal('MediaStream', EventTarget)
  vi.stubGlobal('navigator', {
    userAgent: '',
    mediaDevices: {
      getUserMedia: async ({
        audio,
        video,
      }: {
        audio: Request | boolean
        video: Request | boolean
      }) => {
        const wanted = audio === false ? video : audio
        const deviceId = deviceOf(wanted === true ? {} : (wanted as Request))
        if (busy.has(deviceId)) throw new DOMException('', 'NotReadableError')
        const track = new FakeTrack(audio === false ? 'video' : 'audio', deviceId)
        return { getTracks: () => [track] }
      },
    },
  })
})
afterEach(() => {
  vi.unstubAllGlobals()
})

/** A room of the client library with the first microphone and camera published. */
async function world() {
  const room = new Room()
  const me = room.localParticipant
  const microphone = new FakeTrack('audio', 'first') as unknown as MediaStreamTrack
  const camera = new FakeTrack('video', 'first') as unknown as MediaStreamTrack
  const tracks = {
    microphone: new LocalAudioTrack(microphone, {}, false),
    camera: new LocalVideoTrack(camera, {}, false),
  }
  for (const [kind, track] of Object.entries(tracks)) {
    track.source = kind === 'camera' ? Track.Source.Camera : Track.Source.Microphone
    const info = { sid: kind, source: Track.sourceToProto(track.source) } as never
    const publication = new LocalTrackPublication(track.kind, info, track as LocalTrack)
    me.trackPublications.set(kind, publication)
    const map = kind === 'camera' ? me.videoTrackPublications : me.audioTrackPublications
    map.set(kind, publication)
  }
  // A track opens its device after it was created.
  await vi.waitFor(() => {
    for (const { mediaStream } of Object.values(tracks)) expect(mediaStream).toBeDefined()
  }, WAIT)
  /** The device that others hear or see: in the library's view, and in fact. */
  const sent = (kind: Kind) => {
    const isOn = kind === 'camera' ? me.isCameraEnabled : me.isMicrophoneEnabled
    const { deviceId, readyState } = tracks[kind].mediaStreamTrack as unknown as FakeTrack
    return isOn ? `${deviceId} ${readyState}` : 'off'
  }
  const turnOn = async (kind: Kind) =>
    kind === 'camera' ? me.setCameraEnabled(true) : me.setMicrophoneEnabled(true)
  return { room, tracks, sent, turnOn }
}

/** The same room, with the reports about its devices. */
async function watchedWorld() {
  const { room, ...rest } = await world()
  const reported: string[] = []
  const on = {
    deviceLost: (kind, problem) => reported.push(`${kind} lost: ${problem}`),
    deviceReplaced: (kind) => reported.push(`${kind} replaced`),
    deviceSilenced: (kind, is) => reported.push(`${kind} silenced: ${is}`),
  } as Partial<MediaEvents> as MediaEvents
  watchDevices(room, on)
  const me = room.localParticipant
  for (const publication of me.trackPublications.values())
    room.emit(RoomEvent.LocalTrackPublished, publication, me)
  return { ...rest, reported }
}

describe.each<Kind>(['microphone', 'camera'])('another %s', (kind) => {
  test('is sent instead of the previous one', async () => {
    const { room, sent } = await world()
    await switchDevice(room, kind, 'other')
    expect(sent(kind)).toBe('other live')
  })

  test('that is busy leaves the previous one in use', async () => {
    const { room, sent, turnOn } = await world()
    busy.add('other')
    await expect(switchDevice(room, kind, 'other')).rejects.toThrow(DOMException)
    expect(sent(kind)).toBe('first live')
    await turnOn(kind)
    expect(sent(kind)).toBe('first live')
  })

  test('that is busy while the previous one is busy, too, is off until it is turned on again', async () => {
    const { room, sent, turnOn } = await world()
    busy.add('other').add('first')
    await expect(switchDevice(room, kind, 'other')).rejects.toThrow(DOMException)
    expect(sent(kind)).toBe('off')
    await expect(turnOn(kind)).rejects.toThrow(DOMException)
    expect(sent(kind)).toBe('off')
    busy.delete('first')
    await turnOn(kind)
    expect(sent(kind)).toBe('first live')
  })
})

test('a device is not opened again if its owner has left before the next one failed', async () => {
  const { room, tracks } = await world()
  busy.add('other')
  const switched = switchDevice(room, 'camera', 'other')
  room.localParticipant.trackPublications.clear()
  tracks.camera.stop()
  await expect(switched).rejects.toThrow(DOMException)
  expect(tracks.camera.mediaStreamTrack.readyState).toBe('ended')
})

describe('the other camera of a phone', () => {
  test('is sent, and its id is returned', async () => {
    const { room, sent } = await world()
    expect(await flipCamera(room)).toBe('back')
    expect(sent('camera')).toBe('back live')
  })

  test('that is busy leaves the previous one in use', async () => {
    const { room, sent } = await world()
    busy.add('back')
    await expect(flipCamera(room)).rejects.toThrow(DOMException)
    expect(sent('camera')).toBe('first live')
  })
})

describe.each<Kind>(['microphone', 'camera'])('a %s that the system silences', (kind) => {
  test('is off if it cannot be used again', async () => {
    const { room, tracks, sent, turnOn } = await world()
    vi.spyOn(tracks[kind], 'isUpstreamPaused', 'get').mockReturnValue(true)
    busy.add('first')
    await expect(endSilence(room, kind)).rejects.toThrow(DOMException)
    expect(sent(kind)).toBe('off')
    busy.delete('first')
    await turnOn(kind)
    expect(sent(kind)).toBe('first live')
  })

  test('is reported, and its end, too', async () => {
    const { tracks, reported } = await watchedWorld()
    tracks[kind].emit(TrackEvent.UpstreamPaused, tracks[kind])
    tracks[kind].emit(TrackEvent.UpstreamResumed, tracks[kind])
    expect(reported).toEqual([`${kind} silenced: true`, `${kind} silenced: false`])
  })
})

describe('a microphone that is used again', () => {
  test.each([
    ['was unplugged', 'granted', ['microphone lost: not-found', 'microphone replaced']],
    ['was blocked', 'denied', ['microphone lost: denied']],
  ])('after it %s: permission %s', async (_, state, expected) => {
    const { tracks, reported } = await watchedWorld()
    const permissions = { query: async () => ({ state }) }
    vi.stubGlobal('navigator', {
      mediaDevices: { enumerateDevices: async () => [] },
      permissions,
    })
    tracks.microphone.emit(TrackEvent.Ended, tracks.microphone)
    await vi.waitFor(() => expect(reported).toHaveLength(1), WAIT)
    tracks.microphone.emit(TrackEvent.Restarted, tracks.microphone)
    await new Promise(setImmediate)
    expect(reported).toEqual(expected)
  })
})
