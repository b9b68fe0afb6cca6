import { TrackSource } from '@livekit/protocol'
import {
  type RTCRtpTransceiver,
  RtpHeader,
  RtpPacket,
  type RTCRtpSender,
  RtcpRrPacket,
  RtcpSrPacket,
} from 'werift'
import { steadyNow } from '../lib/steady-now.ts'
import type { InboundTrack, TrackReceiver } from '../rtc/inbound-track.ts'
import {
  aliveLayers,
  chooseLayer,
  DEFAULT_SETTINGS,
  EVERY_LAYER,
  type LayerIndex,
  type TrackSettings,
} from '../rtc/layers.ts'
import { limitResends } from '../rtc/werift/limit-resends.ts'
import { releaseSender, reportTrueTime } from '../rtc/werift/sender.ts'
import { LossMeter, type LossReport, type ReceivedReport } from './loss-meter.ts'
import { RtpSplicer } from './rtp-rewrite.ts'
import type { AdaptedVideo } from './subscriber-congestion.ts'

const AUDIO_CLOCK_RATE = 48_000
const VIDEO_CLOCK_RATE = 90_000
// How often the choice of layer is thought over while packets flow.
const CHOICE_INTERVAL_MS = 500
const NO_LAYER = -1

interface ForwarderOptions {
  publisherSid: string
  /** The publisher must not learn that somebody receives it. */
  isHidden: boolean
  /** The receiver has reported what has reached it. */
  onPassed: (passed: LossReport) => void
}

/** Sends one published track to one subscriber, and for video chooses the layer. */
export class Forwarder implements TrackReceiver, AdaptedVideo {
  readonly track: InboundTrack
  readonly publisherSid: string
  readonly transceiver: RTCRtpTransceiver
  readonly #splicer: RtpSplicer
  readonly #losses = new LossMeter()
  readonly #isHidden: boolean
  #settings: TrackSettings = DEFAULT_SETTINGS
  #current: LayerIndex | undefined
  #target: LayerIndex | undefined
  #chosenAtMs = 0
  #isReady = false
  /** Highest layer that the subscriber's connection carries. */
  #layerMax: LayerIndex = EVERY_LAYER
  #sentBytes = 0
  #passed = { sent: 0, lost: 0 }

  constructor(
    track: InboundTrack,
    transceiver: RTCRtpTransceiver,
    { publisherSid, isHidden, onPassed }: ForwarderOptions,
  ) {
    this.track = track
    this.publisherSid = publisherSid
    this.#isHidden = isHidden
    this.transceiver = transceiver
    const isVp8 = track.kind === 'video'
    this.#splicer = new RtpSplicer({
      clockRate: isVp8 ? VIDEO_CLOCK_RATE : AUDIO_CLOCK_RATE,
      isVp8,
    })
    reportTrueTime(transceiver.sender)
    limitResends(transceiver.sender, () => this.isPaused)
    watchReports(transceiver.sender, (report) => {
      const passed = this.#losses.noteReport(report)
      if (passed === undefined) return
      this.#passed.sent += passed.sent
      this.#passed.lost += passed.lost
      onPassed(passed)
    })
    transceiver.sender.onPictureLossIndication.subscribe(() => {
      if (this.#current !== undefined) track.requestKeyFrame(this.#current, { isHidden })
    })
    track.receivers.add(this)
  }

  /** The subscriber has answered the offer with this track, so packets will be understood. */
  markReady(): void {
    if (this.#isReady) return
    this.#isReady = true
    this.resync()
  }

  configure(settings: TrackSettings): void {
    const wasDisabled = this.#settings.isDisabled
    this.#settings = settings
    this.#chosenAtMs = 0
    if (wasDisabled && !settings.isDisabled) this.resync()
  }

  /** Starts over with the next packet, or the next key frame. */
  resync(): void {
    this.#current = undefined
    this.#chosenAtMs = 0
    this.#splicer.splice()
  }

  push(packet: RtpPacket, layer: LayerIndex, isKeyFrame: boolean): void {
    if (!this.#isReady || this.#settings.isDisabled || this.isPaused) return
    if (!this.#isConnected()) return
    if (this.track.kind === 'video' && !this.#isLayerSent(layer, isKeyFrame)) return

    const { header } = packet
    const out = this.#splicer.rewrite(
      {
        sequenceNumber: header.sequenceNumber,
        timestamp: header.timestamp,
        payload: packet.payload,
      },
      steadyNow(),
    )
    if (out === undefined) return
    this.#losses.noteSent(out.sequenceNumber)
    this.#sentBytes += out.payload.length
    void this.transceiver.sender
      .sendRtp(
        new RtpPacket(
          new RtpHeader({
            sequenceNumber: out.sequenceNumber,
            timestamp: out.timestamp,
            marker: header.marker,
            payloadType: header.payloadType,
          }),
          out.payload,
        ),
      )
      // A transport that closes meanwhile: its participant is being removed.
      .catch(() => undefined)
  }

  get isScreen(): boolean {
    return this.track.info.source === TrackSource.SCREEN_SHARE
  }

  /** Not sent, because the connection does not carry it. */
  get isPaused(): boolean {
    return this.#layerMax === NO_LAYER
  }

  takeSentBytes(): number {
    const bytes = this.#sentBytes
    this.#sentBytes = 0
    return bytes
  }

  /** Share of the packets reported since the last call that did not reach the receiver: 0…1. */
  takeLossShare(): number {
    const { sent, lost } = this.#passed
    this.#passed = { sent: 0, lost: 0 }
    return sent > 0 ? lost / sent : 0
  }

  stepDown(canPause: boolean): boolean {
    const { aliveMs, layers } = this.track
    const sent = this.#current ?? EVERY_LAYER
    const alive = aliveLayers(layers, { nowMs: steadyNow(), aliveMs })
    const lower = alive.findLast(({ index }) => index < Math.min(sent, this.#layerMax))
    if (lower === undefined && (!canPause || this.isPaused)) return false
    this.#layerMax = lower?.index ?? NO_LAYER
    this.#chosenAtMs = 0
    if (this.isPaused) this.resync()
    return true
  }

  stepUp(): void {
    const higher = this.track.layers.map(({ index }) => index).toSorted((a, b) => a - b)
    const next = higher.find((index) => index > this.#layerMax)
    this.#layerMax = next === undefined || next === higher.at(-1) ? EVERY_LAYER : next
    this.#chosenAtMs = 0
  }

  stop(): void {
    this.track.receivers.delete(this)
    this.transceiver.stop()
    releaseSender(this.transceiver.sender)
  }

  #isConnected(): boolean {
    return this.transceiver.dtlsTransport.state === 'connected'
  }

  #isLayerSent(layer: LayerIndex, isKeyFrame: boolean): boolean {
    this.#choose()
    if (layer === this.#target && layer !== this.#current) {
      if (!isKeyFrame) {
        this.track.requestKeyFrame(layer, { isHidden: this.#isHidden })
        return false
      }
      this.#current = layer
      this.#splicer.splice()
    }
    return layer === this.#current
  }

  #choose(): void {
    const nowMs = steadyNow()
    if (nowMs - this.#chosenAtMs < CHOICE_INTERVAL_MS) return

    this.#chosenAtMs = nowMs
    const { aliveMs } = this.track
    const layerMax = this.#layerMax
    this.#target = chooseLayer(this.track.layers, this.#settings, { nowMs, aliveMs, layerMax })
  }
}

/** Calls back for each receiver report about this sender's packets. */
function watchReports(sender: RTCRtpSender, onReport: (report: ReceivedReport) => void): void {
  sender.onRtcp.subscribe((packet) => {
    if (!(packet instanceof RtcpRrPacket || packet instanceof RtcpSrPacket)) return
    for (const report of packet.reports) if (report.ssrc === sender.ssrc) onReport(report)
  })
}
