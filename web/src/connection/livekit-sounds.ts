import { type RemoteTrack, type Room, RoomEvent, Track } from 'livekit-client'

/** Voices play from elements of their own, so that a tile may come and go without a gap. */
export function playSounds(room: Room): void {
  // The provider's client lets go of an element before it says that the track is over.
  const elements = new Map<RemoteTrack, HTMLMediaElement>()
  room
    .on(RoomEvent.TrackSubscribed, (track) => {
      if (track.kind !== Track.Kind.Audio) return
      const element = track.attach()
      element.hidden = true
      document.body.append(element)
      elements.set(track, element)
    })
    .on(RoomEvent.TrackUnsubscribed, (track) => {
      elements.get(track)?.remove()
      elements.delete(track)
    })
}
