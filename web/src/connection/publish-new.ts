import { ConnectionState, type LocalTrack, type Room, RoomEvent } from 'livekit-client'

/**
 * Opens a device and publishes it. Where the room is left meanwhile it throws, and gives the device back
 * immediately: the provider's client keeps it for as long as it waits for a connection.
 *
 * @param prepare is done with the track before it is published.
 */
export async function publishNew(
  room: Room,
  kind: 'audio' | 'video',
  prepare: (track: LocalTrack) => Promise<void> = async () => {},
): Promise<void> {
  const me = room.localParticipant
  const isLeft = () => room.state === ConnectionState.Disconnected
  const [track] = await me.createTracks({ [kind]: true })
  if (track === undefined) return
  let giveBack!: () => void
  const leaving = new Promise<never>((_, reject) => {
    giveBack = () => {
      track.stop()
      reject(new Error('left'))
    }
  })
  room.on(RoomEvent.Disconnected, giveBack)
  const publish = async () => {
    await prepare(track)
    if (!isLeft()) await me.publishTrack(track)
  }
  try {
    if (isLeft()) throw new Error('left')
    await Promise.race([leaving, publish()])
  } catch (error) {
    track.stop()
    throw error
  } finally {
    room.off(RoomEvent.Disconnected, giveBack)
  }
}
