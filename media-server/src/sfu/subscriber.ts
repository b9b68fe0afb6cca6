import type { RTCDataChannel, RTCPeerConnection } from 'werift'
import { createTaskQueue } from '../lib/task-queue.ts'
import type { InboundTrack } from '../rtc/inbound-track.ts'
import {
  addCandidate,
  createPeer,
  type PeerHooks,
  type RtcOptions,
  watchInbound,
  withUsableCandidates,
} from '../rtc/peer.ts'
import { checkAgain } from '../rtc/werift/ice-restart.ts'
import { nameTrack } from '../rtc/werift/sender.ts'
import { type DataKind, OutboundChannel } from './data-channel.ts'
import { Forwarder } from './forwarder.ts'
import type { LossReport } from './loss-meter.ts'
import { SubscriberCongestion } from './subscriber-congestion.ts'

export interface SubscriberHooks extends PeerHooks {
  sendOffer: (offer: { sdp: string; id: number; midToTrackId: Record<string, string> }) => void
  /** A data channel of the client itself; only the publisher side should have any. */
  onDataChannel: (channel: RTCDataChannel) => void
}

/** The connection on which a client receives: we offer, one offer at a time, the client answers. */
export class Subscriber {
  readonly #pc: RTCPeerConnection
  readonly #hooks: SubscriberHooks
  readonly #watched = new WeakSet<object>()
  readonly #forwarders = new Map<string, Forwarder>()
  readonly #channels: Record<DataKind, OutboundChannel>
  // A description is taken whole before the next: a resume may come in the middle of one.
  readonly #line = createTaskQueue()
  readonly #congestion = new SubscriberCongestion<Forwarder>()
  #offerId = 0
  #offered: readonly Forwarder[] = []
  #isOfferOut = false
  #isChanged = false
  #hasConnected = false
  #needsIceRestart = false
  #isClosed = false

  constructor(rtc: RtcOptions, hooks: SubscriberHooks) {
    this.#hooks = hooks
    this.#pc = createPeer(rtc, 'send', {
      ...hooks,
      onConnected: () => {
        this.#hasConnected = true
        hooks.onConnected()
      },
    })
    this.#pc.onDataChannel.subscribe(hooks.onDataChannel)
    const reliable = this.#pc.createDataChannel('_reliable', { ordered: true })
    const lossy = this.#pc.createDataChannel('_lossy', { ordered: false, maxRetransmits: 0 })
    this.#channels = {
      reliable: new OutboundChannel(reliable, hooks.log),
      lossy: new OutboundChannel(lossy, hooks.log),
    }
  }

  /** The connection was up at least once. */
  get hasConnected(): boolean {
    return this.#hasConnected
  }

  get isConnected(): boolean {
    return this.#pc.connectionState === 'connected'
  }

  /**
   * False until the first offer is made. It holds the data channels alone, because the transport of
   * all sections is tied to the first of them, which therefore must never end.
   */
  get hasOffered(): boolean {
    return this.#offerId > 0
  }

  /** How many sections an offer made now would have, that of the data channels included. */
  get sectionCount(): number {
    return this.#pc.getTransceivers().length + 1
  }

  forwarderOf(trackSid: string): Forwarder | undefined {
    return this.#forwarders.get(trackSid)
  }

  get trackSids(): string[] {
    return [...this.#forwarders.keys()]
  }

  /** Receives the track from now on, once the client has answered the offer that brings it. */
  add(
    track: InboundTrack,
    { publisherSid, isHidden }: { publisherSid: string; isHidden: boolean },
  ): void {
    const transceiver = this.#pc.addTransceiver(track.kind, { direction: 'sendonly' })
    transceiver.sender.streamIds = [`${publisherSid}|${track.sid}`]
    nameTrack(transceiver.sender, track.sid)
    const onPassed = (passed: LossReport): void => this.#congestion.note(passed, performance.now())
    this.#forwarders.set(
      track.sid,
      new Forwarder(track, transceiver, { publisherSid, isHidden, onPassed }),
    )
  }

  remove(trackSid: string): boolean {
    const forwarder = this.#forwarders.get(trackSid)
    forwarder?.stop()
    return this.#forwarders.delete(trackSid)
  }

  sendData(kind: DataKind, payload: Buffer): void {
    this.#channels[kind].send(payload)
  }

  /** Something is to be offered that had to wait for the connection. */
  get isChanged(): boolean {
    return this.#isChanged
  }

  /**
   * Offers what has changed. While an offer is out, after its answer; while the first connection is
   * being made, after that, because the library cannot negotiate in between: call again then.
   */
  negotiate(): Promise<void> {
    return this.#line(() => this.#negotiate())
  }

  async #negotiate(): Promise<void> {
    const isConnecting = this.hasOffered && !this.#hasConnected && !this.#needsIceRestart
    if (this.#isOfferOut || isConnecting) {
      this.#isChanged = true
      return
    }
    this.#isOfferOut = true
    this.#isChanged = false
    const iceRestart = this.#needsIceRestart
    this.#needsIceRestart = false

    await this.#pc.setLocalDescription(await this.#pc.createOffer({ iceRestart }))
    watchInbound(this.#pc, this.#watched, this.#hooks)
    this.#offerId++
    this.#offered = [...this.#forwarders.values()]
    this.#hooks.sendOffer({
      sdp: this.#pc.localDescription?.sdp ?? '',
      id: this.#offerId,
      midToTrackId: this.#midToTrackId(),
    })
  }

  takeAnswer(sdp: string, id: number): Promise<void> {
    return this.#line(() => this.#takeAnswer(sdp, id))
  }

  async #takeAnswer(sdp: string, id: number): Promise<void> {
    const isStale = id !== 0 && id !== this.#offerId
    if (!this.#isOfferOut || isStale) return

    await this.#pc.setRemoteDescription({ type: 'answer', sdp: withUsableCandidates(sdp) })
    checkAgain(this.#pc, this.#hooks.log)
    this.#isOfferOut = false
    for (const forwarder of this.#offered) forwarder.markReady()
    if (this.#isChanged) await this.#negotiate()
  }

  /** A resumed client gets a new offer with new ICE credentials; an offer that was out is void. */
  restart(): Promise<void> {
    return this.#line(() => {
      this.#isOfferOut = false
      this.#needsIceRestart = true
      return this.#negotiate()
    })
  }

  async addCandidate(candidateInit: string): Promise<void> {
    await addCandidate(this.#pc, candidateInit, this.#hooks.log)
  }

  /** Some video is smaller than asked for, or paused, because the connection does not carry it. */
  get isCongested(): boolean {
    return this.#congestion.isReduced
  }

  get videos(): Forwarder[] {
    return [...this.#forwarders.values()].filter(({ track }) => track.kind === 'video')
  }

  /** Sends what the connection carries; returns the videos that paused or resumed. */
  adapt(canPause: boolean): Forwarder[] {
    return this.#congestion.review(this.videos, canPause, performance.now())
  }

  /** Share of packets lost on the way to the client, 0…1, of the worst stream, since it was asked last. */
  takeLossShare(): number {
    const shares = [...this.#forwarders.values()].map((forwarder) => forwarder.takeLossShare())
    return Math.max(0, ...shares)
  }

  async close(): Promise<void> {
    if (this.#isClosed) return
    this.#isClosed = true
    for (const forwarder of this.#forwarders.values()) forwarder.stop()
    this.#forwarders.clear()
    await this.#pc.close()
  }

  #midToTrackId(): Record<string, string> {
    return Object.fromEntries(
      this.#offered.flatMap(({ transceiver, track }) =>
        transceiver.mid === null || transceiver.mid === undefined
          ? []
          : [[transceiver.mid, track.sid]],
      ),
    )
  }
}
