import { ConnectionQuality, LocalTrack, type Participant, type Room, Track } from 'livekit-client'
import type { Person, VideoState, Quality } from './call-state.ts'

export const QUALITIES: Record<ConnectionQuality, Quality> = {
  [ConnectionQuality.Excellent]: 'good',
  [ConnectionQuality.Good]: 'fair',
  [ConnectionQuality.Poor]: 'poor',
  [ConnectionQuality.Lost]: 'lost',
  [ConnectionQuality.Unknown]: 'unknown',
}

/** Everybody with a tile: oneself first, the others in order of arrival. */
export function presentPeople(room: Room): Person[] {
  const others = [...room.remoteParticipants.values()].toSorted(
    (one, other) => (one.joinedAt?.getTime() ?? 0) - (other.joinedAt?.getTime() ?? 0),
  )
  const me = room.localParticipant
  const canBeSeen = me.permissions?.canPublish !== false
  return (canBeSeen ? [me, ...others] : others).map((each) => presentPerson(each))
}

function presentPerson(participant: Participant): Person {
  return {
    identity: participant.identity,
    name: participant.name ?? '',
    role: roleIn(participant.metadata),
    isLocal: participant.isLocal,
    isSpeaking: participant.isSpeaking,
    isMuted: !participant.isMicrophoneEnabled,
    picture: videoOf(participant, Track.Source.Camera),
    screen: videoOf(participant, Track.Source.ScreenShare),
    quality: QUALITIES[participant.connectionQuality],
  }
}

export function roleIn(metadata: string | undefined): Person['role'] {
  try {
    const { role } = JSON.parse(metadata ?? '') as { role?: unknown }
    return role === 'moderator' || role === 'panelist' ? role : null
  } catch {
    return null
  }
}

function videoOf(
  participant: Participant,
  source: Track.Source.Camera | Track.Source.ScreenShare,
): VideoState | null {
  const publication = participant.getTrackPublication(source)
  const track = publication?.videoTrack
  if (publication === undefined || track === undefined || publication.isMuted) return null
  return {
    // A camera that was flipped or replaced is a different picture.
    id: `${numberOf(track)} ${numberOf(track.mediaStreamTrack)}`,
    // Mirrored, except for a camera that faces away from its owner.
    isMirrored:
      participant.isLocal &&
      source === Track.Source.Camera &&
      settingsOf(track).facingMode !== 'environment',
    isPausedByNetwork: track.streamState === Track.StreamState.Paused,
    attach: (element) => {
      track.attach(element)
      return () => {
        track.detach(element)
      }
    },
  }
}

const numbers = new WeakMap<object, number>()
let count = 0

/**
 * Numbers tracks by identity. The media server's ids are the same on the next connection, where no track is attached
 * yet.
 */
function numberOf(track: object): number {
  const number = numbers.get(track) ?? ++count
  numbers.set(track, number)
  return number
}

/** The settings of the camera, even if the page processes its track before sending. */
function settingsOf(track: Track): MediaTrackSettings {
  return track instanceof LocalTrack
    ? track.getSourceTrackSettings()
    : track.mediaStreamTrack.getSettings()
}
