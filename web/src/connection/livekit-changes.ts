import { ConnectionState, type Room, RoomEvent } from 'livekit-client'

const CHANGES = [
  RoomEvent.ParticipantConnected,
  RoomEvent.ParticipantDisconnected,
  RoomEvent.ParticipantNameChanged,
  RoomEvent.ParticipantMetadataChanged,
  RoomEvent.TrackSubscribed,
  RoomEvent.TrackUnsubscribed,
  RoomEvent.TrackMuted,
  RoomEvent.TrackUnmuted,
  RoomEvent.TrackStreamStateChanged,
  RoomEvent.LocalTrackPublished,
  RoomEvent.LocalTrackUnpublished,
  RoomEvent.ActiveSpeakersChanged,
  RoomEvent.ConnectionQualityChanged,
  RoomEvent.AudioPlaybackStatusChanged,
] as const

/**
 * Calls back after changes in the room, once for all changes at the same time. It does not call back for a connection
 * that ends: the provider's client removes everything before it reports the end, and nobody has turned off the own
 * camera by that.
 */
export function watchChanges(room: Room, onChanged: () => void): void {
  let isDue = false
  const notify = () => {
    isDue = false
    if (room.state !== ConnectionState.Disconnected) onChanged()
  }
  const onEvent = () => {
    if (!isDue) queueMicrotask(notify)
    isDue = true
  }
  for (const event of CHANGES) room.on(event, onEvent)
}
