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
 * Follows the local devices. When one is unplugged or blocked, the provider's client switches to
 * another one, or mutes: either way the person has to be notified.
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
      // One that was blocked, and is allowed again, took nothing's place.
      if (problem !== 'denied') on.deviceReplaced(kind, await labelOf(track))
    })
  })
  track.on(TrackEvent.UpstreamPaused, () => on.deviceSilenced(kind, true))
  track.on(TrackEvent.UpstreamResumed, () => on.deviceSilenced(kind, false))
}

/** Asks the system for the device again, where it lets nobody hear or see the one that is on. */
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

/** Of the device, also where what is sent of it the page draws or computes. */
async function labelOf(track: LocalTrack): Promise<string> {
  const { deviceId } = track.getSourceTrackSettings()
  const devices = await navigator.mediaDevices.enumerateDevices().catch(() => [])
  const device = devices.find((each) => each.deviceId === deviceId)
  return device?.label ?? track.mediaStreamTrack.label
}

/** Why a device that worked does not any more: a permission that was taken back, or no device. */
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
 * To another device. Where it cannot be used, the one before it is again, or the microphone or camera is off.
 * Throws the browser's device error.
 */
export async function switchDevice(room: Room, kind: OwnKind, deviceId: string): Promise<void> {
  await exchange(room, kind, async () => room.switchActiveDevice(KINDS[kind], deviceId))
}

/** The same for the other camera of a phone. Answers its id, where the browser says it. */
export async function flipCamera(room: Room): Promise<string | undefined> {
  const track = trackOf(room, 'camera')
  if (!(track instanceof LocalVideoTrack)) return undefined
  const { facingMode } = track.getSourceTrackSettings()
  const wanted = facingMode === 'environment' ? 'user' : 'environment'
  await exchange(room, 'camera', async () => track.restartTrack({ facingMode: wanted }))
  return track.getSourceTrackSettings().deviceId
}

/**
 * The provider's client ends a device before it asks for the next, and counts the ended one as on. Where the room is
 * left meanwhile nothing is opened again: nobody would end it.
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
