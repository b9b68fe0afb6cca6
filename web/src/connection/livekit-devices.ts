import {
  type LocalTrack,
  LocalVideoTrack,
  type Room,
  RoomEvent,
  Track,
  TrackEvent,
} from 'livekit-client'
import type { DeviceProblem } from '../devices/device-problem.ts'
import type { MediaEvents } from './media-room.ts'

type OwnKind = 'microphone' | 'camera'

const KINDS = { microphone: 'audioinput', camera: 'videoinput' } as const

const KIND_OF: Partial<Record<Track.Source, OwnKind>> = {
  [Track.Source.Microphone]: 'microphone',
  [Track.Source.Camera]: 'camera',
}

/**
 * Follows the local devices. When one is unplugged or blocked, the provider's client switches to another one, or
 * mutes. The person must be told in both cases.
 */
export function watchDevices(room: Room, on: MediaEvents): void {
  room.on(RoomEvent.LocalTrackPublished, ({ source, track }) => {
    const kind = KIND_OF[source]
    if (kind !== undefined && track !== undefined) watchTrack(track, kind, on)
  })
}

function watchTrack(track: LocalTrack, kind: OwnKind, on: MediaEvents): void {
  let loss: Promise<DeviceProblem> | undefined
  track.on(TrackEvent.Ended, () => {
    const newest = problemOf(kind)
    loss = newest
    void newest.then((problem) => {
      if (loss === newest) on.deviceLost(kind, problem)
    })
  })
  track.on(TrackEvent.Restarted, () => {
    const last = loss
    loss = undefined
    void last?.then(async (problem) => {
      // A blocked device that is allowed again replaces nothing.
      if (problem !== 'denied') on.deviceReplaced(kind, await labelOf(track))
    })
  })
  track.on(TrackEvent.UpstreamPaused, () => on.deviceSilenced(kind, true))
  track.on(TrackEvent.UpstreamResumed, () => on.deviceSilenced(kind, false))
}

/** Asks the system for the device again while it is on but silenced by the system. */
export async function endSilence(room: Room, kind: OwnKind): Promise<void> {
  const track = trackOf(room, kind)
  if (track?.isUpstreamPaused !== true) return
  try {
    await track.restartTrack()
  } catch (error) {
    await track.mute()
    throw error
  }
}

/** The label of the device, even if the page processes its track before sending. */
async function labelOf(track: LocalTrack): Promise<string> {
  const { deviceId } = track.getSourceTrackSettings()
  const devices = await navigator.mediaDevices.enumerateDevices().catch(() => [])
  const device = devices.find((each) => each.deviceId === deviceId)
  return device?.label ?? track.mediaStreamTrack.label
}

/** Finds out why a device stopped working: the permission was withdrawn, or the device is gone. */
async function problemOf(kind: OwnKind): Promise<DeviceProblem> {
  try {
    const { state } = await navigator.permissions.query({ name: kind })
    return state === 'denied' ? 'denied' : 'not-found'
  } catch {
    // Not every browser knows these permissions.
    return 'not-found'
  }
}

/**
 * Switches to another device. If that fails, the previous one is used again, or the microphone or camera is off.
 * Throws the browser's device error.
 */
export async function switchDevice(room: Room, kind: OwnKind, deviceId: string): Promise<void> {
  await exchange(room, kind, async () => room.switchActiveDevice(KINDS[kind], deviceId))
}

/** Switches to the other camera of a phone. Returns its id, if the browser reports it. */
export async function flipCamera(room: Room): Promise<string | undefined> {
  const track = trackOf(room, 'camera')
  if (!(track instanceof LocalVideoTrack)) return undefined
  const { facingMode } = track.getSourceTrackSettings()
  const wanted = facingMode === 'environment' ? 'user' : 'environment'
  await exchange(room, 'camera', async () => track.restartTrack({ facingMode: wanted }))
  return track.getSourceTrackSettings().deviceId
}

/**
 * The provider's client stops a device before it asks for the next one, and counts the stopped one as on. If the room
 * is left meanwhile, no device is opened again, because nothing would ever release it.
 */
async function exchange(room: Room, kind: OwnKind, change: () => Promise<unknown>): Promise<void> {
  const track = trackOf(room, kind)
  const deviceId = track?.getSourceTrackSettings().deviceId
  try {
    await change()
  } catch (error) {
    if (track !== undefined && trackOf(room, kind) === track) await goBack(track, deviceId)
    throw error
  }
}

async function goBack(track: LocalTrack, deviceId: string | undefined): Promise<void> {
  try {
    await track.setDeviceId(deviceId ?? {})
  } catch {
    await track.mute()
  }
}

function trackOf(room: Room, kind: OwnKind): LocalTrack | undefined {
  const source = kind === 'camera' ? Track.Source.Camera : Track.Source.Microphone
  return room.localParticipant.getTrackPublication(source)?.track
}
