import { roleOf } from '../egress/capture/selection.ts'
import { silentLog } from '../lib/log.ts'
import type { RemoteParticipant } from './remote-participant.ts'
import { RoomClient } from './room-client.ts'

export interface Listening {
  /** http(s) or ws(s) address of the LiveKit server. */
  url: string
  /** Hidden, may subscribe, and publishes nothing. */
  token: string
  /** Ends it. */
  signal: AbortSignal
  /** Called with every packet of Opus that an open microphone sends, in order. */
  hear: (packet: HeardPacket) => void
}

export interface HeardPacket {
  identity: string
  /** Sid of the microphone's track. */
  track: string
  opus: Buffer
}

/**
 * Joins a room and hears its microphones. Resolves when the room has ended, when the signal is aborted, and when the connection is
 * lost and cannot be resumed: coming back needs a new token. Throws if the server does not let us in.
 */
export function listenToRoom({ url, token, signal, hear }: Listening): Promise<void> {
  const ended = Promise.withResolvers<void>()
  const client = new RoomClient({
    url,
    token: async () => token,
    rtc: {},
    log: silentLog,
    selection: { of: 'microphones' },
    isThere: async () => false,
    giveUpMs: 0,
  })
  const followed = new WeakSet<object>()
  client.watchers.add({
    changed() {
      for (const person of client.participants.values()) follow(person, { followed, hear })
    },
    finished: () => ended.resolve(),
    failed: ended.reject,
    missed() {},
    unrecordable() {},
  })
  const leave = (): void => {
    client.leave()
    ended.resolve()
  }
  if (signal.aborted) leave()
  signal.addEventListener('abort', leave)
  return ended.promise.finally(() => signal.removeEventListener('abort', leave))
}

function follow(
  { identity, announcedTracks }: RemoteParticipant,
  { followed, hear }: { followed: WeakSet<object>; hear: Listening['hear'] },
): void {
  for (const track of announcedTracks) {
    if (followed.has(track) || roleOf(track) !== 'microphone') continue
    followed.add(track)
    let last: number | undefined
    track.receivers.add({
      push({ header, payload }) {
        if (last !== undefined && isLate(header.sequenceNumber, last)) return
        last = header.sequenceNumber
        // Packets of padding have no sound.
        if (payload.length > 0) hear({ identity, track: track.sid, opus: payload })
      },
      resync() {
        last = undefined
      },
    })
  }
}

/** True for a packet that does not come after the last one. Numbers have 16 bits. */
function isLate(sequenceNumber: number, last: number): boolean {
  const ahead = (sequenceNumber - last) & 0xffff
  return ahead === 0 || ahead >= 0x8000
}
