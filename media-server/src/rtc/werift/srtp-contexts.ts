import { createSecretKey, type KeyObject } from 'node:crypto'
import { distance16 } from '@interview-room/composer/sequence-numbers.ts'

/** A transport of the library, of which only this much is used: it has sessions when DTLS is done. */
interface Transport {
  updateSrtpSession: () => void
  srtp?: Session
  srtcp?: Session
}

/** One that only encrypts, or only decrypts, has the context of the other direction too. */
interface Session {
  localContext: Context
  remoteContext: Context
}

interface Context {
  cipher: Keys
  updateRolloverCount: (sequenceNumber: number, stream: StreamState) => void
}

/** How often the numbers of one RTP stream have run over, judged by its packet before. */
interface StreamState {
  rolloverCounter: number
  lastSequenceNumber: number
  rolloverHasProcessed?: boolean
}

/** Bytes as the library derives them; Node also takes them imported. */
interface Keys {
  srtpSessionKey: Uint8Array | KeyObject
  srtcpSessionKey: Uint8Array | KeyObject
  /** Set for a cipher that does not authenticate. */
  srtpSessionAuthTag?: Uint8Array | KeyObject
  srtcpSessionAuthTag?: Uint8Array | KeyObject
}

/**
 * werift keeps the keys of SRTP as bytes, which Node imports again for every packet: four times the work of encrypting
 * or decrypting it. And it counts a rollover of sequence numbers only within a hundred packets of it: a stream that
 * loses more at that moment, two seconds of sound, would never be understood again. Mends both.
 */
export function prepareSrtpContexts(transport: object): void {
  const one = transport as Transport
  const update = one.updateSrtpSession.bind(one)
  one.updateSrtpSession = () => {
    update()
    prepare(one)
  }
  prepare(one)
}

function prepare({ srtp, srtcp }: Transport): void {
  for (const session of [srtp, srtcp]) {
    if (session === undefined) continue
    for (const context of [session.localContext, session.remoteContext]) {
      importKeys(context.cipher)
      context.updateRolloverCount = countRollover
    }
  }
}

/** RFC 3711, 3.3.1: of the numbers that a packet may have in all, the one nearest to that of the packet before. */
function countRollover(sequenceNumber: number, stream: StreamState): void {
  if (stream.rolloverHasProcessed === true) {
    const next = stream.lastSequenceNumber + distance16(stream.lastSequenceNumber, sequenceNumber)
    stream.rolloverCounter = Math.max(0, stream.rolloverCounter + Math.floor(next / 0x1_0000))
  }
  stream.rolloverHasProcessed = true
  stream.lastSequenceNumber = sequenceNumber
}

function importKeys(cipher: Keys): void {
  cipher.srtpSessionKey = imported(cipher.srtpSessionKey)
  cipher.srtcpSessionKey = imported(cipher.srtcpSessionKey)
  const { srtpSessionAuthTag, srtcpSessionAuthTag } = cipher
  if (srtpSessionAuthTag) cipher.srtpSessionAuthTag = imported(srtpSessionAuthTag)
  if (srtcpSessionAuthTag) cipher.srtcpSessionAuthTag = imported(srtcpSessionAuthTag)
}

function imported(key: Uint8Array | KeyObject): KeyObject {
  return key instanceof Uint8Array ? createSecretKey(key) : key
}
