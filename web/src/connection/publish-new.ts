import {
  ConnectionState,
  type LocalParticipant,
  type LocalTrack,
  type Room,
  RoomEvent,
} from 'livekit-client'

/**
 * Opens a device, or a screen and its sound, and publishes it. After an interruption that has ended the attempt, it tries again
 * once the connection is back. Where the room is left meanwhile it throws, and gives the device back immediately: the provider's
 * client keeps it for as long as it waits for a connection.
 *
 * @param prepare is done with each track before it is published.
 */
export async function publishNew(
  room: Room,
  open: (me: LocalParticipant) => Promise<LocalTrack[]>,
  prepare: (track: LocalTrack) => Promise<void> = async () => {},
): Promise<void> {
  const me = room.localParticipant
  let tracks: LocalTrack[] = []
  const stop = () => tracks.forEach((track) => track.stop())
  const connection = followConnection(room, stop)
  const publish = async (track: LocalTrack) => {
    await prepare(track)
    if (room.state !== ConnectionState.Disconnected) await me.publishTrack(track)
  }
  async function tryOnce(): Promise<boolean> {
    tracks = await open(me)
    const before = connection.changes()
    try {
      await connection.unlessLeft(Promise.all(tracks.map(publish)))
      return true
    } catch (error) {
      stop()
      const isWhole = room.state === ConnectionState.Connected && connection.changes() === before
      if (isWhole) throw error
      return false
    }
  }
  try {
    while (!(await tryOnce())) await connection.unlessLeft(connection.isBack())
  } finally {
    connection.unfollow()
  }
}

function followConnection(room: Room, onLeft: () => void) {
  let changes = 0
  let resume: (() => void) | undefined
  let leave!: () => void
  const leaving = new Promise<never>((_, reject) => {
    leave = () => reject(new Error('left'))
  })
  leaving.catch(() => {})
  function follow(state: ConnectionState): void {
    changes += 1
    if (state === ConnectionState.Connected) resume?.()
    if (state !== ConnectionState.Disconnected) return
    onLeft()
    leave()
  }
  room.on(RoomEvent.ConnectionStateChanged, follow)
  return {
    changes: () => changes,
    async isBack() {
      if (room.state === ConnectionState.Connected) return
      await new Promise<void>((resolve) => (resume = resolve))
    },
    async unlessLeft<T>(work: Promise<T>): Promise<T> {
      if (room.state === ConnectionState.Disconnected) leave()
      return Promise.race([leaving, work])
    },
    unfollow: () => room.off(RoomEvent.ConnectionStateChanged, follow),
  }
}
