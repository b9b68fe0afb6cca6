import {
  LocalAudioTrack,
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
  let isLost = false
  track.on(TrackEvent.Ended, () => {
    isLost = true
    void problemOf(kind).then((problem) => {
      if (isLost) on.deviceLost(kind, problem)
    })
  })
  track.on(TrackEvent.Restarted, () => {
    const wasLost = isLost
    isLost = false
    if (wasLost) void labelOf(track).then((label) => on.deviceReplaced(kind, label))
  })
  if (kind === 'camera') return
  track.on(TrackEvent.UpstreamPaused, () => on.microphoneSilenced(true))
  track.on(TrackEvent.UpstreamResumed, () => on.microphoneSilenced(false))
}

/** Asks the system for the microphone again, where it lets nobody hear the one that is on. */
export async function endSilence(room: Room): Promise<void> {
  const track = room.localParticipant.getTrackPublication(Track.Source.Microphone)?.audioTrack
  if (track instanceof LocalAudioTrack && track.isUpstreamPaused) await track.restartTrack()
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

/** Answers the id of the camera that is now in use, where the browser says it. */
export async function flipCamera(room: Room): Promise<string | undefined> {
  const track = room.localParticipant.getTrackPublication(Track.Source.Camera)?.track
  if (!(track instanceof LocalVideoTrack)) return undefined
  const { facingMode } = track.getSourceTrackSettings()
  await track.restartTrack({ facingMode: facingMode === 'environment' ? 'user' : 'environment' })
  return track.getSourceTrackSettings().deviceId
}
