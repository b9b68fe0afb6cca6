import { setTimeout as sleep } from 'node:timers/promises'
import {
  type AudioLevelIndicationPayload,
  type Extensions,
  type MediaStreamTrack,
  type RTCDataChannel,
  type RTCPeerConnection,
  RTP_EXTENSION_URI,
  type RtcpPacket,
  RtcpSrPacket,
  type RtpPacket,
} from 'werift'
import { msOfNtp } from '../lib/ntp-time.ts'
import { steadyNow } from '../lib/steady-now.ts'
import { createTaskQueue } from '../lib/task-queue.ts'
import { InboundFeedback } from './inbound-feedback.ts'
import type { InboundTrack } from './inbound-track.ts'
import {
  addCandidate,
  createPeer,
  type PeerHooks,
  type RtcOptions,
  watchInbound,
  withTransportFeedback,
  withUsableCandidates,
} from './peer.ts'
import { type OfferedSection, parseOfferedSections } from './sdp-sections.ts'
import { checkAgain } from './werift/ice-restart.ts'
import { letOtherSideBegin } from './werift/let-other-side-begin.ts'
import { countersOf, silenceNack } from './werift/receiver.ts'
import { routeStreams } from './werift/route-streams.ts'
import { keepReportsWritable } from './werift/rtcp.ts'

export interface InboundHooks extends PeerHooks {
  onDataChannel: (channel: RTCDataChannel) => void
  /** Missing packets of sound are asked for again, too: worth it where nobody waits for them. */
  repairsSound?: boolean
}

const CONNECT_WAIT_MS = 3000

/**
 * The connection on which media come: the other side offers, we answer. To the server that is a client
 * which publishes, to a recorder the server that it joined.
 */
export class InboundConnection<Track extends InboundTrack> {
  readonly #pc: RTCPeerConnection
  readonly #hooks: InboundHooks
  readonly #watched = new WeakSet<object>()
  readonly #tracksByMid = new Map<string, Track>()
  readonly #feedback: InboundFeedback
  // A client that resumed offers on another socket, while an offer of the former may be in hand.
  readonly #queue = createTaskQueue()
  #hasConnected = false
  #counted = { lost: 0, received: 0 }

  constructor(rtc: RtcOptions, hooks: InboundHooks) {
    this.#hooks = hooks
    this.#pc = createPeer(rtc, 'receive', {
      ...hooks,
      onConnected: () => {
        this.#hasConnected = true
        hooks.onConnected()
      },
    })
    this.#pc.onDataChannel.subscribe(hooks.onDataChannel)
    const feedback = new InboundFeedback(this.#pc)
    this.#feedback = feedback
    routeStreams(this.#pc, (passage) => feedback.notePassage(passage))
  }

  /** The connection was up at least once. */
  get hasConnected(): boolean {
    return this.#hasConnected
  }

  get isConnected(): boolean {
    return this.#pc.connectionState === 'connected'
  }

  /** Applies an offer. Returns the answer and the media sections that were offered. */
  answer(offerSdp: string): Promise<{ sdp: string; sections: OfferedSection[] }> {
    return this.#queue(() => this.#answer(offerSdp))
  }

  async #answer(offerSdp: string): Promise<{ sdp: string; sections: OfferedSection[] }> {
    await this.#connectionMade()
    await this.#pc.setRemoteDescription({ type: 'offer', sdp: withUsableCandidates(offerSdp) })
    letOtherSideBegin(this.#pc, offerSdp)
    await this.#pc.setLocalDescription(await this.#pc.createAnswer())
    checkAgain(this.#pc, this.#hooks.log)
    watchInbound(this.#pc, this.#watched, this.#hooks)
    this.#listen()
    return {
      sdp: withTransportFeedback(this.#pc.localDescription?.sdp ?? '', offerSdp),
      sections: parseOfferedSections(offerSdp),
    }
  }

  // A second offer in the middle of the first connecting makes the library connect twice at the same time, and then
  // data channels may never open. A connection that does not come about must not block for long:
  // the offer may be the one that repairs it.
  async #connectionMade(): Promise<void> {
    if (this.#hasConnected || this.#pc.connectionState !== 'connecting') return
    await Promise.race([
      this.#pc.connectionStateChange.asPromise(),
      sleep(CONNECT_WAIT_MS, undefined, { ref: false }),
    ])
  }

  async addCandidate(candidateInit: string): Promise<void> {
    await addCandidate(this.#pc, candidateInit, this.#hooks.log)
  }

  trackAt(mid: string): Track | undefined {
    return this.#tracksByMid.get(mid)
  }

  attach(mid: string, track: Track): void {
    this.#tracksByMid.set(mid, track)
    const receiver = this.#pc.getTransceivers().find((t) => t.mid === mid)?.receiver
    track.origin = {
      mid,
      requestKeyFrame: (ssrc) => void receiver?.sendRtcpPLI(ssrc).catch(() => undefined),
    }
  }

  detach(track: Track): void {
    const mid = track.origin?.mid
    if (mid !== undefined && this.#tracksByMid.get(mid) === track) this.#tracksByMid.delete(mid)
    // Receivers of the track may stay for long, and hold nothing of this connection then.
    track.origin = undefined
  }

  /** Share of packets lost on the way here, 0…1, since it was asked last. */
  takeLossShare(): number {
    let lost = 0
    let received = 0
    for (const stream of this.#pc.getReceivers().flatMap(countersOf)) {
      lost += stream.packets_lost
      received += stream.packets_received
    }
    const lostNow = lost - this.#counted.lost
    const sentNow = lostNow + received - this.#counted.received
    this.#counted = { lost, received }
    return sentNow > 0 ? Math.max(0, lostNow) / sentNow : 0
  }

  async close(): Promise<void> {
    this.#feedback.close()
    await this.#pc.close()
  }

  #listen(): void {
    for (const transport of this.#pc.dtlsTransports) {
      if (this.#watched.has(transport)) continue
      this.#watched.add(transport)
      keepReportsWritable(transport)
    }
    for (const transceiver of this.#pc.getTransceivers()) {
      silenceNack(transceiver.receiver)
      for (const track of transceiver.receiver.tracks) {
        if (this.#watched.has(track)) continue
        this.#watched.add(track)
        track.onReceiveRtp.subscribe((packet, extensions) => {
          this.#receive(transceiver.mid ?? '', track, packet, extensions)
        })
        track.onReceiveRtcp.subscribe((packet) => this.#report(transceiver.mid ?? '', packet))
      }
    }
  }

  #receive(
    mid: string,
    source: MediaStreamTrack,
    packet: RtpPacket,
    extensions: Extensions | undefined,
  ): void {
    const track = this.#tracksByMid.get(mid)
    const { ssrc, sequenceNumber } = packet.header
    const isRepaired = source.kind === 'video' || this.#hooks.repairsSound === true
    if (isRepaired && !this.#feedback.noteRepairable(ssrc, sequenceNumber)) return
    if (track === undefined) return

    const level = extensions?.[RTP_EXTENSION_URI.audioLevelIndication] as
      | AudioLevelIndicationPayload
      | undefined
    track.latestLevel = level?.level ?? track.reportedLevel
    if (level !== undefined && !track.info.muted) track.levels.observe(level.level)
    track.receive(packet, source.rid ?? '')
  }

  #report(mid: string, packet: RtcpPacket): void {
    if (packet.type !== RtcpSrPacket.type) return
    const { ssrc, senderInfo } = packet
    this.#tracksByMid.get(mid)?.receiveReport({
      atMs: steadyNow(),
      ssrc,
      senderMs: msOfNtp(senderInfo.ntpTimestamp),
      timestamp: senderInfo.rtpTimestamp,
    })
  }
}
