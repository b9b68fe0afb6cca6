import { type GenericNack, type RTCRtpSender, RtcpTransportLayerFeedback } from 'werift'

const ROUND_TRIP_UNKNOWN_MS = 100
const MARGIN_MS = 20
const REMEMBERED_MAX = 500
const NACK_FORMAT = 1

/** Which packets a receiver asks for again may be sent again now. */
export class Resends {
  readonly #sentAtMs = new Map<number, number>()

  /** False while the answer to an earlier request is still under way. */
  isDue(sequenceNumber: number, nowMs: number, roundTripMs: number): boolean {
    const sentAtMs = this.#sentAtMs.get(sequenceNumber)
    if (sentAtMs !== undefined && nowMs - sentAtMs < roundTripMs + MARGIN_MS) return false

    this.#sentAtMs.delete(sequenceNumber)
    this.#sentAtMs.set(sequenceNumber, nowMs)
    const [oldest] = this.#sentAtMs.keys()
    if (this.#sentAtMs.size > REMEMBERED_MAX && oldest !== undefined) this.#sentAtMs.delete(oldest)
    return true
  }
}

/**
 * werift sends a packet again as often as it is asked to. A browser that only receives does not know the round trip
 * and asks every 100 ms, which fills a narrow connection with the same packets. Sends a packet again once for each
 * round trip at most, and not at all while the connection is congested.
 */
export function limitResends(sender: RTCRtpSender, isSpared: () => boolean): void {
  const resends = new Resends()
  const take = sender.handleRtcpPacket.bind(sender)
  sender.handleRtcpPacket = (packet) => {
    if (packet instanceof RtcpTransportLayerFeedback && packet.feedback.count === NACK_FORMAT) {
      const nack = packet.feedback as GenericNack
      const { rtt } = sender as unknown as { rtt?: number }
      const roundTripMs = rtt === undefined ? ROUND_TRIP_UNKNOWN_MS : rtt * 1000
      const nowMs = performance.now()
      nack.lost = nack.lost
        .map((number) => number & 0xffff)
        .filter((number) => !isSpared() && resends.isDue(number, nowMs, roundTripMs))
    }
    take(packet)
  }
}
