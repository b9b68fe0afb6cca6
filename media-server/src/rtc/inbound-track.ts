import { parseVp8 } from '@interview-room/composer/vp8-descriptor.ts'
import { type TrackInfo, TrackSource, TrackType } from '@livekit/protocol'
import type { RtpPacket } from 'werift'
import { steadyNow } from '../lib/steady-now.ts'
import { KeyFrameRequests } from './key-frame-requests.ts'
import type { LayerIndex, LayerState } from './layers.ts'
import { CAMERA_LAYER_ALIVE_MS, layerOfRid, SCREEN_LAYER_ALIVE_MS } from './layers.ts'
import { LevelWindow } from './levels.ts'

/** The connection that a track arrives on, as far as the track needs it. */
export interface TrackOrigin {
  mid: string
  requestKeyFrame: (ssrc: number) => void
}

/** A receiver of a track's packets. */
export interface TrackReceiver {
  push(packet: RtpPacket, layer: LayerIndex, isKeyFrame: boolean): void
  /** Packets that follow do not continue those before. */
  resync(): void
  /** Called when the sender reports its clocks. */
  report?(report: SenderReport): void
}

/** A sender's own time, and the media timestamp that belongs to it. */
export interface SenderReport {
  /** When it arrived, in the time of `steadyNow`. */
  atMs: number
  ssrc: number
  senderMs: number
  timestamp: number
}

interface Layer extends LayerState {
  ssrc: number
  keyFrames: KeyFrameRequests
}

/** A track that comes from a participant or another server: its layers as they arrive, and its receivers. */
export class InboundTrack {
  readonly info: TrackInfo
  readonly receivers = new Set<TrackReceiver>()
  readonly levels = new LevelWindow()
  origin: TrackOrigin | undefined
  /** Loudness of the newest packet in -dBov: 0 is the loudest, 127 is silence or unknown. */
  latestLevel = 127
  /** The same as the server reports it, for packets that do not say it. */
  reportedLevel = 127
  readonly #reports = new Map<number, SenderReport>()
  readonly #layers = new Map<LayerIndex, Layer>()

  constructor(info: TrackInfo) {
    this.info = info
  }

  get sid(): string {
    return this.info.sid
  }

  get kind(): 'audio' | 'video' {
    return this.info.type === TrackType.AUDIO ? 'audio' : 'video'
  }

  /** How long a layer may be silent and still count as being sent. */
  get aliveMs(): number {
    const isScreen = this.info.source === TrackSource.SCREEN_SHARE
    return isScreen ? SCREEN_LAYER_ALIVE_MS : CAMERA_LAYER_ALIVE_MS
  }

  get layers(): readonly LayerState[] {
    return [...this.#layers.values()]
  }

  /** Muting stops the forwarding immediately, whatever the client still sends. */
  setMuted(isMuted: boolean): void {
    this.info.muted = isMuted
    this.resync()
  }

  /** Packets that follow do not continue those before. */
  resync(): void {
    for (const receiver of this.receivers) receiver.resync()
  }

  receive(packet: RtpPacket, rid: string): void {
    const layer = this.#layerOf(packet, rid)
    layer.lastPacketAtMs = steadyNow()
    if (this.info.muted) return

    if (this.kind === 'video' && layer.keyFrames.isDue(layer.lastPacketAtMs)) {
      this.origin?.requestKeyFrame(layer.ssrc)
    }
    const isKeyFrame = this.kind === 'video' && parseVp8(packet.payload)?.isKeyFrame === true
    for (const receiver of this.receivers) receiver.push(packet, layer.index, isKeyFrame)
  }

  /** The last report of each of its streams. */
  get lastReports(): readonly SenderReport[] {
    return [...this.#reports.values()]
  }

  receiveReport(report: SenderReport): void {
    this.#reports.set(report.ssrc, report)
    for (const receiver of this.receivers) receiver.report?.(report)
  }

  /** For a subscriber, of whom the publisher must not learn when it is hidden. */
  requestKeyFrame(index: LayerIndex, { isHidden } = { isHidden: false }): void {
    const layer = this.#layers.get(index)
    if (layer?.keyFrames.isNeeded(steadyNow(), isHidden) !== true) return
    this.origin?.requestKeyFrame(layer.ssrc)
  }

  #layerOf(packet: RtpPacket, rid: string): Layer {
    const index = layerOfRid(rid)
    const { ssrc } = packet.header
    const known = this.#layers.get(index)
    if (known !== undefined) {
      known.ssrc = ssrc
      return known
    }
    const width = this.info.layers.find((layer) => (layer.quality as number) === index)?.width ?? 0
    const layer = { index, width, ssrc, lastPacketAtMs: 0, keyFrames: new KeyFrameRequests() }
    this.#layers.set(index, layer)
    return layer
  }
}
