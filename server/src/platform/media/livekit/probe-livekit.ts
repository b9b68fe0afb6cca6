import { SignalResponse } from '@livekit/protocol'
import { WebSocket } from 'undici'
import { MediaError } from '../../ports/media.ts'

const ANSWER_MS = 10_000

/**
 * Asks if this media token admits to its room, as browsers do before they join. Returns the HTTP status: 200, 401 for an unknown
 * key, 404 for a missing room.
 */
export async function validateJoin(mediaUrl: string, token: string): Promise<number> {
  const answer = await fetch(`${mediaUrl.replace(/^ws/, 'http')}/rtc/validate`, {
    headers: { authorization: `Bearer ${token}` },
    signal: AbortSignal.timeout(ANSWER_MS),
  })
  await answer.body?.cancel()
  return answer.status
}

/** A STUN or TURN server, with the credentials that a browser gets for it. */
export interface IceServer {
  urls: readonly string[]
  username: string
  credential: string
}

/** The provider's offer to a client that joins. */
export interface JoinOffer {
  iceServers: readonly IceServer[]
  /** Codecs that may be sent, such as `video/VP8`. */
  publishCodecs: readonly string[]
  /** The most participants that the room may have; 0 without a limit. */
  maxParticipants: number
}

/** Joins as a browser begins to, by signalling only, and leaves. Throws MediaError if it is refused. */
export async function probeJoin(mediaUrl: string, token: string): Promise<JoinOffer> {
  const { promise, resolve, reject } = Promise.withResolvers<JoinOffer>()
  const socket = new WebSocket(`${mediaUrl}/rtc?protocol=16&sdk=js&auto_subscribe=0`, {
    headers: { authorization: `Bearer ${token}` },
  })
  socket.binaryType = 'arraybuffer'
  const timer = setTimeout(() => reject(new MediaError('no answer to a join')), ANSWER_MS)
  socket.addEventListener('message', ({ data }) => {
    const { message } = SignalResponse.fromBinary(new Uint8Array(data as ArrayBuffer))
    if (message.case !== 'join') return
    const { iceServers, enabledPublishCodecs, room } = message.value
    resolve({
      iceServers,
      publishCodecs: enabledPublishCodecs.map(({ mime }) => mime),
      maxParticipants: room?.maxParticipants ?? 0,
    })
  })
  socket.addEventListener('error', () => reject(new MediaError('no WebSocket can be opened')))
  socket.addEventListener('close', () => reject(new MediaError('the WebSocket was closed')))
  try {
    return await promise
  } finally {
    clearTimeout(timer)
    socket.close()
  }
}
