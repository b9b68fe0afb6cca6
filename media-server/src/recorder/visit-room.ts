import {
  DisconnectReason,
  LeaveRequest,
  SessionDescription,
  SignalTarget,
  TrickleRequest,
} from '@livekit/protocol'
import { silentLog } from '../lib/log.ts'
import {
  addCandidate,
  createPeer,
  type PeerHooks,
  watchInbound,
  withUsableCandidates,
} from '../rtc/peer.ts'
import { SignalConnection, type SignalDemand, type SignalMessage } from './signal-connection.ts'

/** A LiveKit server connects in a fraction of a second, and reports every five seconds. */
const REPORTED_WITHIN_MS = 20_000

export interface Visit {
  /** http(s) or ws(s) address of the LiveKit server. */
  url: string
  /** Neither publishes nor receives anything. */
  token: string
  /** Ends the visit early. */
  signal: AbortSignal
}

/**
 * Joins a room, stays until the server reports the quality of its connections to everybody, and leaves. livekit-server does that
 * within five seconds after anybody has joined. Throws if the server does not let us in, ends the connection, or does not report
 * within 20 seconds.
 */
export async function visitRoom({ url, token, signal }: Visit): Promise<void> {
  const reported = Promise.withResolvers<void>()
  // It may be rejected while the connection is still being opened.
  reported.promise.catch(() => {})
  const hooks: PeerHooks = { log: silentLog, onActivity: () => {}, onConnected: () => {} }
  const peer = createPeer({}, 'send', hooks)
  const send = (message: SignalDemand): void => signalling.send(message)
  const visitor = { peer, hooks, send, reported }
  peer.onIceCandidate.subscribe((candidate) => {
    if (candidate === undefined) return
    const candidateInit = JSON.stringify(candidate.toJSON())
    send({
      case: 'trickle',
      value: new TrickleRequest({ candidateInit, target: SignalTarget.PUBLISHER }),
    })
  })
  const signalling = new SignalConnection(url, {
    token,
    query: { auto_subscribe: '0' },
    hooks: {
      onMessage: (message) => void take(visitor, message).catch(reported.reject),
      onClose: () => reported.reject(new Error('signalling closed')),
    },
    log: silentLog,
  })
  signalling.opened.catch(reported.reject)
  const end = (): void => reported.reject(signal.reason)
  signal.addEventListener('abort', end)
  const timer = setTimeout(() => reported.reject(new Error('not reported')), REPORTED_WITHIN_MS)
  try {
    signal.throwIfAborted()
    await reported.promise
  } finally {
    clearTimeout(timer)
    signal.removeEventListener('abort', end)
    send({
      case: 'leave',
      value: new LeaveRequest({ reason: DisconnectReason.CLIENT_INITIATED }),
    })
    signalling.close()
    await peer.close().catch(() => {})
  }
}

interface Visitor {
  peer: ReturnType<typeof createPeer>
  hooks: PeerHooks
  send: (message: SignalDemand) => void
  reported: PromiseWithResolvers<void>
}

async function take(
  { peer, hooks, send, reported }: Visitor,
  message: SignalMessage,
): Promise<void> {
  // oxlint-disable-next-line typescript/switch-exhaustiveness-check -- the other messages are for clients that stay
  switch (message.case) {
    case 'join': {
      peer.createDataChannel('_reliable')
      await peer.setLocalDescription(await peer.createOffer())
      const sdp = peer.localDescription?.sdp ?? ''
      return send({ case: 'offer', value: new SessionDescription({ type: 'offer', sdp }) })
    }
    case 'answer':
      await peer.setRemoteDescription({
        type: 'answer',
        sdp: withUsableCandidates(message.value.sdp),
      })
      return watchInbound(peer, new WeakSet(), hooks)
    case 'trickle':
      return addCandidate(peer, message.value.candidateInit, silentLog)
    case 'connectionQuality':
      return reported.resolve()
    case 'leave':
      return reported.reject(new Error(DisconnectReason[message.value.reason] ?? 'left'))
    default:
      return
  }
}
