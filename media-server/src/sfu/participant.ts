import {
  type ClientInfo_Capability,
  DisconnectReason,
  ParticipantInfo_Kind as Kind,
  ParticipantInfo,
  ParticipantInfo_State,
  type ParticipantPermission,
  SessionDescription,
} from '@livekit/protocol'
import type { RTCDataChannel } from 'werift'
import type { Claims } from '../api/tokens.ts'
import type { AwakeClock } from '../lib/awake-clock.ts'
import { newId } from '../lib/ids.ts'
import type { Log } from '../lib/log.ts'
import { InboundConnection } from '../rtc/inbound-connection.ts'
import type { RtcOptions } from '../rtc/peer.ts'
import type { OfferedSection } from '../rtc/sdp-sections.ts'
import type { DataKind } from './data-channel.ts'
import { kindOf, permissionOf } from './grants.ts'
import type { PublishedTrack } from './published-track.ts'
import { SignalBounds } from './signal-bounds.ts'
import type { SignalMessage, SignalSocket } from './signal-socket.ts'
import { Subscriber } from './subscriber.ts'

/** Description that the joining client gives of itself. */
export interface ClientDescription {
  isAutoSubscribing: boolean
  /** Videos may pause where the connection does not carry them. */
  canBePaused: boolean
  protocol: number
  clientProtocol: number
  capabilities: ClientInfo_Capability[]
}

export interface ParticipantHooks {
  onConnected: () => void
  onDataChannel: (channel: RTCDataChannel) => void
}

/** One connection of one identity to a room. A rejoin is another Participant with another sid. */
export class Participant {
  readonly sid = newId('PA_')
  readonly claims: Claims
  readonly client: ClientDescription
  readonly kind: Kind
  readonly joinedAtMs = Date.now()
  /** The same in the time in which this server was awake, by which presence is judged. */
  readonly enteredAtMs: number
  readonly publisher: InboundConnection<PublishedTrack>
  readonly subscriber: Subscriber
  /** Published or about to be, by track sid. */
  readonly tracks = new Map<string, PublishedTrack>()
  sections: readonly OfferedSection[] = []
  /** Media sections of tracks that the server withdrew since the last offer. */
  readonly withdrawnMids = new Set<string>()
  /** Tracks that the client asked for before it was offered anything, by sid. */
  readonly askedEarly = new Set<string>()
  readonly bounds = new SignalBounds()
  socket: SignalSocket | undefined
  name: string
  metadata: string
  attributes: Record<string, string>
  permission: ParticipantPermission
  /** As it was said to the client when it joined: later rights do not change which connection it makes first. */
  readonly isSubscriberPrimary: boolean
  state = ParticipantInfo_State.JOINING
  disconnectReason = DisconnectReason.UNKNOWN_REASON
  lastReliableSequence = 0
  /** A test scenario asked for the socket to be dropped at the next resume. */
  dropsNextResume: 'before-messages' | 'after-messages' | undefined
  readonly sentQuality = new Map<string, number>()
  readonly #awake: AwakeClock
  #lastActivityAtMs: number
  #version = 0

  constructor(
    claims: Claims,
    client: ClientDescription,
    {
      rtc,
      log,
      awake,
      hooks,
    }: { rtc: RtcOptions; log: Log; awake: AwakeClock; hooks: ParticipantHooks },
  ) {
    this.claims = claims
    this.client = client
    this.kind = kindOf(claims.kind)
    this.name = claims.name
    this.metadata = claims.metadata
    this.attributes = { ...claims.attributes }
    this.permission = permissionOf(claims.video)
    this.isSubscriberPrimary = this.permission.canSubscribe
    this.#awake = awake
    this.enteredAtMs = awake.nowMs
    this.#lastActivityAtMs = this.enteredAtMs

    const peerHooks = {
      log,
      onSockets: (connection: object) => rtc.onSockets?.(connection, claims.identity),
      onActivity: () => this.noteActivity(),
      onConnected: hooks.onConnected,
      onDataChannel: hooks.onDataChannel,
    }
    this.publisher = new InboundConnection(rtc, peerHooks)
    this.subscriber = new Subscriber(rtc, {
      ...peerHooks,
      sendOffer: (offer) =>
        this.send({ case: 'offer', value: new SessionDescription({ type: 'offer', ...offer }) }),
    })
  }

  /**
   * When something last arrived on either peer connection, or the participant joined or resumed, in the time in
   * which this server was awake.
   */
  get lastActivityAtMs(): number {
    return this.#lastActivityAtMs
  }

  noteActivity(): void {
    this.#lastActivityAtMs = this.#awake.nowMs
  }

  get identity(): string {
    return this.claims.identity
  }

  get isHidden(): boolean {
    return this.permission.hidden
  }

  get isActive(): boolean {
    return this.state === ParticipantInfo_State.ACTIVE
  }

  get isGone(): boolean {
    return this.state === ParticipantInfo_State.DISCONNECTED
  }

  /** Recorders and agents neither hold a room open nor count against its size. */
  get isDependent(): boolean {
    const { recorder, agent } = this.permission
    return recorder || agent || this.kind === Kind.EGRESS || this.kind === Kind.AGENT
  }

  /** The connection that decides whether the participant is there. */
  get isPrimaryConnected(): boolean {
    return this.isSubscriberPrimary ? this.subscriber.isConnected : this.publisher.isConnected
  }

  get announcedTracks(): PublishedTrack[] {
    return [...this.tracks.values()].filter((track) => track.isAnnounced)
  }

  /** Clients drop an info whose version is not higher than the one they have. */
  bumpVersion(): void {
    this.#version++
  }

  toInfo(): ParticipantInfo {
    const tracks = this.announcedTracks.map((track) => track.info)
    return new ParticipantInfo({
      sid: this.sid,
      identity: this.identity,
      state: this.state,
      tracks,
      metadata: this.metadata,
      joinedAt: BigInt(Math.floor(this.joinedAtMs / 1000)),
      joinedAtMs: BigInt(this.joinedAtMs),
      name: this.name,
      version: this.#version,
      permission: this.permission,
      isPublisher: tracks.length > 0,
      kind: this.kind,
      attributes: this.attributes,
      disconnectReason: this.disconnectReason,
      clientProtocol: this.client.clientProtocol,
      capabilities: this.client.capabilities,
    })
  }

  send(message: SignalMessage): void {
    this.socket?.send(message)
  }

  sendData(kind: DataKind, payload: Buffer): void {
    this.subscriber.sendData(kind, payload)
  }

  async closePeers(): Promise<void> {
    await Promise.allSettled([this.publisher.close(), this.subscriber.close()])
  }
}
