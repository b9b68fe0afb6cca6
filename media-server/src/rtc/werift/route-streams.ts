import {
  type RTCPeerConnection,
  type RTCRtpReceiver,
  RTP_EXTENSION_URI,
  type RtpPacket,
  rtpHeaderExtensionsParser,
} from 'werift'

/** The way of a packet, as its header extensions state it. */
export interface Passage {
  ssrc: number
  /** Its number among all packets of the connection, 16 bits. */
  transportNumber: number
  /** When it was sent, if stated: 24 bits of 2^-18 seconds. */
  sendTicks: number | undefined
}

/** The library's router of incoming packets, of which only this much is used. */
interface Router {
  ssrcTable: Record<number, unknown>
  ridTable: Record<string, unknown>
  extIdUriMap: Record<number, string>
  routeRtp: (packet: RtpPacket) => void
}

/** Which stream a retransmission stream repairs. */
interface RepairTable {
  ssrcByRtx: Record<number, number>
}

/**
 * werift routes packets by stream id alone, so that a camera and a screen, both sending `q`, `h` and `f`, would end in
 * one receiver, and cannot match a retransmission to its stream when the description has no ssrc. It also keeps the
 * header extensions of a packet to itself. Mends its router, and reports how packets came.
 */
export function routeStreams(pc: RTCPeerConnection, onPassage: (passage: Passage) => void): void {
  const { router } = pc as unknown as { router: Router }
  const route = router.routeRtp
  const streams = new Map<string, number>()
  const repairs = new Map<number, RepairTable & { original: number }>()

  router.routeRtp = (packet) => {
    const names = rtpHeaderExtensionsParser(packet.header.extensions, router.extIdUriMap)
    const mid: unknown = names[RTP_EXTENSION_URI.sdesMid]
    const rid: unknown = names[RTP_EXTENSION_URI.sdesRTPStreamID]
    const repaired: unknown = names[RTP_EXTENSION_URI.repairedRtpStreamId]
    const transportNumber: unknown = names[RTP_EXTENSION_URI.transportWideCC]
    const sendTicks: unknown = names[RTP_EXTENSION_URI.absSendTime]
    if (typeof transportNumber === 'number') {
      const { ssrc } = packet.header
      onPassage({ ssrc, transportNumber, sendTicks: numberOrNothing(sendTicks) })
    }
    const receiver = typeof mid === 'string' ? receiverOf(pc, mid) : undefined
    const { ssrc } = packet.header

    if (receiver !== undefined && typeof rid === 'string') {
      router.ridTable[rid] = receiver
      router.ssrcTable[ssrc] = receiver
      streams.set(`${String(mid)} ${rid}`, ssrc)
    } else if (receiver !== undefined && typeof repaired === 'string') {
      const original = streams.get(`${String(mid)} ${repaired}`)
      if (original === undefined) return
      router.ssrcTable[ssrc] = receiver
      const { ssrcByRtx } = receiver as unknown as RepairTable
      repairs.set(ssrc, { ssrcByRtx, original })
    }
    // Every negotiation empties the library's table, and a browser names its streams only until they are known.
    const repair = repairs.get(ssrc)
    if (repair !== undefined) repair.ssrcByRtx[ssrc] = repair.original
    route(packet)
  }
}

function receiverOf(pc: RTCPeerConnection, mid: string): RTCRtpReceiver | undefined {
  return pc.getTransceivers().find((transceiver) => transceiver.mid === mid)?.receiver
}

function numberOrNothing(value: unknown): number | undefined {
  return typeof value === 'number' ? value : undefined
}
