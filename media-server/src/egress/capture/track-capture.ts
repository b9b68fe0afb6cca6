import { encodeRecord } from '@interview-room/composer/capture/rtp-log.ts'
import type { RtpPacket } from 'werift'
import { steadyNow } from '../../lib/steady-now.ts'
import type { SenderReport, TrackReceiver } from '../../rtc/inbound-track.ts'
import { chooseLayer, DEFAULT_SETTINGS, type LayerIndex } from '../../rtc/layers.ts'
import { AppendFile } from './append-file.ts'
import type { CapturableTrack } from './capture-source.ts'
import type { Clock } from './clock.ts'
import { LossWatch } from './loss-watch.ts'

export interface TrackCaptureOptions {
  file: string
  clock: Clock
  /** Its packets count, but none is written: to everybody but the participants they are noise. */
  isEncrypted: boolean
  onPacket: () => void
  onError: (error: Error) => void
}

// How often the choice of layer is thought over while packets flow.
const CHOICE_INTERVAL_MS = 500
// Key frames are where decoding can begin: after a loss, and where the layout changes.
const KEY_FRAME_INTERVAL_MS = 10_000

/** Writes the packets of one track to its log as they arrive; of simulcast layers, the highest. */
export class TrackCapture implements TrackReceiver {
  readonly #track: CapturableTrack
  readonly #options: TrackCaptureOptions
  readonly #log: AppendFile
  readonly #losses = new LossWatch()
  #current: LayerIndex | undefined
  #target: LayerIndex | undefined
  #chosenAtMs = 0
  #keyFrameAtMs = 0
  #hasPicture = false
  #droppedBytes = 0
  #takenBytes = 0
  #takenAtMs: number | undefined

  constructor(track: CapturableTrack, options: TrackCaptureOptions) {
    this.#track = track
    this.#options = options
    this.#log = new AppendFile(options.file, options.onError)
    for (const report of track.lastReports) this.report(report)
    track.receivers.add(this)
    for (const { index } of track.layers) track.requestKeyFrame(index)
  }

  /** Until a first whole picture has come; sound has none. */
  get isAwaitingVideo(): boolean {
    return this.#track.kind === 'video' && !this.#hasPicture
  }

  /** Bytes that came and were taken, those of encrypted packets included. */
  get writtenBytes(): number {
    return this.#log.writtenBytes + this.#droppedBytes
  }

  /** Bytes of media that were taken until now, in all files. */
  get takenBytes(): number {
    return this.#takenBytes
  }

  /** When the last packet was taken, by the clock of the capture. */
  get takenAtMs(): number | undefined {
    return this.#takenAtMs
  }

  /** The packets that follow do not continue those before: a picture begins with a key frame. */
  resync(): void {
    this.#current = undefined
    this.#chosenAtMs = 0
    this.#losses.reset()
  }

  push(packet: RtpPacket, layer: LayerIndex, isKeyFrame: boolean): void {
    const atMs = this.#options.clock()
    if (this.#track.kind === 'video' && !this.#isWanted(packet, layer, isKeyFrame, atMs)) return

    const { ssrc, sequenceNumber, timestamp, marker: isLast } = packet.header
    const level = this.#track.latestLevel
    const { payload } = packet
    const head = { atMs, ssrc, sequenceNumber, timestamp, layer, isLast, level }
    if (this.#options.isEncrypted) this.#droppedBytes += payload.length
    else this.#log.append(encodeRecord({ kind: 'packet', ...head, payload }))
    this.#takenBytes += payload.length
    this.#takenAtMs = atMs
    // Padding, which is logged because its number would be missing.
    if (payload.length === 0) return
    // Logging begins with a key frame.
    if (isLast) this.#hasPicture = true
    this.#options.onPacket()
  }

  report({ atMs, ssrc, senderMs, timestamp }: SenderReport): void {
    // Given in the server's time; the log uses the capture's.
    const agoMs = steadyNow() - atMs
    const record = { atMs: this.#options.clock() - agoMs, ssrc, senderMs, timestamp }
    this.#log.append(encodeRecord({ kind: 'report', ...record }))
  }

  /** A key frame is wanted, because what follows will be decoded for itself. */
  requestKeyFrame(): void {
    if (this.#current !== undefined) this.#track.requestKeyFrame(this.#current)
  }

  /** Continues in another file; resolves when the one before is on disk. */
  moveOn(file: string): Promise<void> {
    return this.#log.moveOn(file)
  }

  async close(): Promise<void> {
    this.#track.receivers.delete(this)
    await this.#log.close()
  }

  #isWanted(packet: RtpPacket, layer: LayerIndex, isKeyFrame: boolean, atMs: number): boolean {
    this.#choose()
    if (layer === this.#target && layer !== this.#current) {
      if (!isKeyFrame) {
        this.#track.requestKeyFrame(layer)
        return layer === this.#current
      }
      this.#current = layer
      this.#losses.reset()
    }
    if (layer !== this.#current) return false

    if (isKeyFrame) this.#keyFrameAtMs = atMs
    const hasLost = this.#losses.observe(packet.header.sequenceNumber, atMs)
    const isDue = atMs - this.#keyFrameAtMs > KEY_FRAME_INTERVAL_MS
    if (hasLost || isDue) this.#track.requestKeyFrame(layer)
    return true
  }

  #choose(): void {
    const nowMs = steadyNow()
    if (nowMs - this.#chosenAtMs < CHOICE_INTERVAL_MS) return

    this.#chosenAtMs = nowMs
    const { aliveMs } = this.#track
    this.#target = chooseLayer(this.#track.layers, DEFAULT_SETTINGS, { nowMs, aliveMs })
  }
}
