import type { TrackRole } from '@interview-room/composer/capture/capture-events.ts'
import { TrackSource } from '@livekit/protocol'
import type { CapturableParticipant, CapturableTrack } from './capture-source.ts'

/** The captured part of a room. */
export type Selection =
  | { of: 'room'; hasSound: boolean; hasPicture: boolean }
  | { of: 'microphones' }
  | { of: 'participant'; identity: string; isScreen: boolean }
  | { of: 'tracks'; sids: readonly string[] }

/** Hidden participants, recorders among them, and those who may not publish are never seen or heard. */
export function isSelected(selection: Selection, participant: CapturableParticipant): boolean {
  const { isActive, isHidden, permission } = participant
  if (!isActive || isHidden || !permission.canPublish) return false
  if (selection.of === 'participant') return participant.identity === selection.identity
  if (selection.of === 'room' || selection.of === 'microphones') return true
  return participant.announcedTracks.some(({ sid }) => selection.sids.includes(sid))
}

export function isTrackSelected(selection: Selection, track: CapturableTrack): boolean {
  if (selection.of === 'tracks') return selection.sids.includes(track.sid)
  if (selection.of === 'microphones') return roleOf(track) === 'microphone'
  if (selection.of === 'room') {
    return track.kind === 'audio' ? selection.hasSound : selection.hasPicture
  }
  const role = roleOf(track)
  return selection.isScreen === (role === 'screen' || role === 'screen-sound')
}

export function roleOf(track: CapturableTrack): TrackRole {
  const { source } = track.info
  if (track.kind === 'audio') {
    return source === TrackSource.SCREEN_SHARE_AUDIO ? 'screen-sound' : 'microphone'
  }
  return source === TrackSource.SCREEN_SHARE ? 'screen' : 'camera'
}
