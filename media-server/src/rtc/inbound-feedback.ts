import {
  GenericNack,
  type RTCPeerConnection,
  type RtcpPacket,
  RtcpTransportLayerFeedback,
} from 'werift'
import { ArrivalClock, BEAT_INTERVAL_MS } from './arrival-clock.ts'
import { ArrivalLog } from './arrival-log.ts'
import { MissingPackets } from './missing-packets.ts'
import type { Passage } from './werift/route-streams.ts'
import { packetOf } from './werift/rtcp.ts'

const BEATS_PER_FEEDBACK = 5
const BEATS_PER_REPAIR = 2
const ROUND_TRIP_UNKNOWN_MS = 100
// A publisher that sends nothing and waits for nothing costs nothing.
const QUIET_MS = 2000

/**
 * Reports to a publishing client when its packets arrive, from which it estimates what its connection
 * carries, and which video packets are missing, so that it sends them again.
 */
export class InboundFeedback {
  readonly #pc: RTCPeerConnection
  readonly #clock = new ArrivalClock()
  readonly #arrivals = new ArrivalLog()
  readonly #streams = new Map<number, MissingPackets>()
  #timer: NodeJS.Timeout | undefined
  #isClosed = false
  /** Packets are numbered for reports. */
  #isReporting = false
  #beats = 0
  #heardAtMs = 0
  #mediaSsrc = 0

  constructor(pc: RTCPeerConnection) {
    this.#pc = pc
  }

  /** A packet has come, whatever is in it. */
  notePassage({ ssrc, transportNumber, sendTicks }: Passage): void {
    const nowMs = performance.now()
    this.#hear(nowMs)
    this.#isReporting = true
    this.#arrivals.note(transportNumber, this.#clock.arrivalOf(sendTicks, nowMs))
    this.#mediaSsrc = ssrc
  }

  /** A packet has come that is asked for again where it is missing; false when it is one that came before. */
  noteRepairable(ssrc: number, sequenceNumber: number): boolean {
    let stream = this.#streams.get(ssrc)
    if (stream === undefined) {
      stream = new MissingPackets()
      this.#streams.set(ssrc, stream)
    }
    const nowMs = performance.now()
    const isFirst = stream.receive(sequenceNumber, nowMs)
    if (this.#isReporting || stream.hasMissing) this.#hear(nowMs)
    return isFirst
  }

  close(): void {
    this.#isClosed = true
    this.#rest()
  }

  #hear(nowMs: number): void {
    this.#heardAtMs = nowMs
    if (this.#timer === undefined && !this.#isClosed) {
      this.#clock.beat(nowMs)
      this.#timer = setInterval(() => this.#beat(performance.now()), BEAT_INTERVAL_MS).unref()
    }
  }

  /** A publisher that wants no reports is only asked for missing packets. */
  get #isIdle(): boolean {
    return !this.#isReporting && ![...this.#streams.values()].some(({ hasMissing }) => hasMissing)
  }

  #rest(): void {
    clearInterval(this.#timer)
    this.#timer = undefined
  }

  #beat(nowMs: number): void {
    if (this.#isIdle || nowMs - this.#heardAtMs > QUIET_MS) return this.#rest()
    // Packets that have been waiting are read before this: they must not look as if they just came.
    setImmediate(() => this.#clock.beat(performance.now()))
    this.#beats++
    if (this.#pc.dtlsTransports[0]?.state !== 'connected') return
    if (this.#beats % BEATS_PER_REPAIR === 0) this.#askForMissing(nowMs)
    if (this.#beats % BEATS_PER_FEEDBACK === 0) this.#sendArrivals()
  }

  #sendArrivals(): void {
    const ssrcs = { senderSsrc: this.#senderSsrc, mediaSsrc: this.#mediaSsrc }
    for (const message of this.#arrivals.take(ssrcs)) this.#send(packetOf(message))
  }

  #askForMissing(nowMs: number): void {
    const { nominated } = this.#pc.iceTransports[0]?.connection ?? {}
    const roundTripMs = nominated?.rtt === undefined ? ROUND_TRIP_UNKNOWN_MS : nominated.rtt * 1000
    for (const [mediaSourceSsrc, stream] of this.#streams) {
      const lost = stream.due(nowMs, roundTripMs)
      if (lost.length === 0) continue
      const feedback = new GenericNack({ senderSsrc: this.#senderSsrc, mediaSourceSsrc, lost })
      this.#send(new RtcpTransportLayerFeedback({ feedback }))
    }
  }

  get #senderSsrc(): number {
    return this.#pc.getSenders()[0]?.ssrc ?? 1
  }

  #send(packet: RtcpPacket): void {
    void this.#pc.dtlsTransports[0]
      ?.sendRtcp([packet])
      // A transport that closes meanwhile needs no feedback.
      .catch(() => undefined)
  }
}
