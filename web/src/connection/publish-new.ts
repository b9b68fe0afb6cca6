import {
  ConnectionState,
  type LocalParticipant,
  type LocalTrack,
  type Room,
  RoomEvent,
} from 'livekit-client'

/**
 * Opens a device, or a screen and its sound, and publishes it. Where the room is left meanwhile it throws, and gives
 * the device back immediately: the provider's client keeps it for as long as it waits for a connection.
 *
 * @param prepare is done with each track before it is published.
 */
export async function publishNew(
  room: Room,
  open: (me: LocalParticipant) => Promise<LocalTrack[]>,
  prepare: (track: LocalTrack) => Promise<void> = async () => {},
): Promise<void> {
  const me = room.localParticipant
  const isLeft = () => room.state === ConnectionState.Disconnected
  const tracks = await open(me)
  const stop = () => tracks.forEach((track) => track.stop())
  let giveBack!: () => void
  const leaving = new Promise<never>((_, reject) => {
    giveBack = () => {
      stop()
      reject(new Error('left'))
    }
  })
  room.on(RoomEvent.Disconnected, giveBack)
  const publish = async (track: LocalTrack) => {
    await prepare(track)
    if (!isLeft()) await me.publishTrack(track)
  }
  try {
    if (isLeft()) throw new Error('left')
    await Promise.race([leaving, Promise.all(tracks.map(publish))])
  } catch (error) {
    stop()
    throw error
  } finally {
    room.off(RoomEvent.Disconnected, giveBack)
  }
}
