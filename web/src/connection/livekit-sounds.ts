import { type RemoteTrack, type Room, RoomEvent, Track } from 'livekit-client'

/** Voices play in elements of their own, so that a tile may appear and disappear without a gap in the sound. */
export function playSounds(room: Room): void {
  // The provider's client detaches an element before it reports the end of the track.
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
