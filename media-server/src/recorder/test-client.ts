import { setTimeout as delay } from 'node:timers/promises'
import {
  AddTrackRequest,
  DisconnectReason,
  LeaveRequest,
  MuteTrackRequest,
  SessionDescription,
  SignalTarget,
  TrackSource,
  TrackType,
  type TrickleRequest,
} from '@livekit/protocol'
import { type RTCRtpTransceiver, RtpHeader, RtpPacket } from 'werift'
import { silentLog } from '../lib/log.ts'
import type { InboundTrack } from '../rtc/inbound-track.ts'
import { addCandidate, createPeer, watchInbound, withUsableCandidates } from '../rtc/peer.ts'
import { MediaConnection } from './media-connection.ts'
import { RemoteParticipants } from './remote-participants.ts'
import { SignalConnection, type SignalMessage } from './signal-connection.ts'

type Kind = 'audio' | 'video'

/** Packets that came from others, by kind. */
type Received = Readonly<Record<Kind, number>>

const FRAME_MS = 20
const VIDEO_EVERY = 5
const AUDIO_TICKS = 960
const VIDEO_TICKS = 9000
const SIZE = { width: 160, height: 120 }
/** Silence of one Opus frame of 20 ms. */
const OPUS = Buffer.from('f8fffe', 'hex')
/** One packet of VP8: its descriptor, and a grey picture of 160x120 that needs no other. */
const VP8 = Buffer.concat([
  Buffer.from([0x10]),
  Buffer.from(
    'UAYAnQEqoAB4AABHCIWFiIWEiAICAAYiEm7ctecNJrnOGk1znDSa5zhpNc5w0muc4aTXOcNJrnOGk1ww/mgA',
    'base64',
  ),
])
const KINDS = ['audio', 'video'] as const

/**
 * A client of a LiveKit server without a browser, which sends a picture and silence, or other packets of Opus over and over, and
 * counts what comes from others.
 */
export class TestClient {
  readonly #signal: SignalConnection
  readonly #people = new RemoteParticipants()
  readonly #media: MediaConnection
  readonly #watched = new WeakSet<object>()
  readonly #counted = new WeakSet<InboundTrack>()
  readonly #received = { audio: 0, video: 0 }
  readonly #candidates = new Set<string>()
  /** Sids of our tracks, by their names. */
  readonly #published = new Map<string, string>()
  readonly #joined = Promise.withResolvers<void>()
  readonly #connected = Promise.withResolvers<void>()
  readonly #hooks = {
    log: silentLog,
    onActivity: () => {},
    onConnected: () => this.#connected.resolve(),
  }
  readonly #sender = createPeer({}, 'send', this.#hooks)
  readonly #transceivers = KINDS.map((kind): [Kind, RTCRtpTransceiver] => [
    kind,
    this.#sender.addTransceiver(kind, { direction: 'sendonly' }),
  ])
  readonly #leaving = new AbortController()
  readonly #isBehindNat: boolean
  readonly #opus: readonly Buffer[]

  /**
   * `url`: the http(s) or ws(s) address that browsers get. With `isBehindNat`, the server reaches us only after we have
   * reached an address that it offers.
   */
  constructor(
    url: string,
    token: string,
    {
      isBehindNat = false,
      opus = [OPUS] as const,
    }: { isBehindNat?: boolean; opus?: readonly Buffer[] } = {},
  ) {
    this.#isBehindNat = isBehindNat
    this.#opus = opus
    this.#media = new MediaConnection({
      rtc: {},
      log: silentLog,
      findTrack: (sid) => this.#people.findTrack(sid),
      onConnected: () => {},
    })
    this.#joined.promise.catch(() => {})
    this.#connected.promise.catch(() => {})
    this.#signal = new SignalConnection(url, {
      token,
      query: { auto_subscribe: '1' },
      hooks: {
        onMessage: (message) =>
          void this.#take(message).catch((error: unknown) => this.#end(error)),
        onClose: () => this.#end(new Error('signalling closed')),
      },
      log: silentLog,
    })
  }

  /** Resolves when the server has let us in. Rejects with its refusal. */
  async join(timeoutMs: number): Promise<void> {
    await within(timeoutMs, 'no answer to a join', async () => {
      await this.#signal.opened
      await this.#joined.promise
    })
  }

  /** Publishes camera and microphone. Resolves when the media connection is up; sends until the end. */
  async publish(timeoutMs: number): Promise<void> {
    for (const kind of KINDS) this.#signal.send({ case: 'addTrack', value: trackRequest(kind) })
    await this.#sender.setLocalDescription(await this.#sender.createOffer())
    watchInbound(this.#sender, this.#watched, this.#hooks)
    const sdp = this.#shown(this.#sender.localDescription?.sdp ?? '')
    const value = new SessionDescription({ type: 'offer', sdp, id: 1 })
    this.#signal.send({ case: 'offer', value })
    await within(timeoutMs, 'no media connection', () => this.#connected.promise)
    void this.#send()
  }

  /** Identities of the others, as the server shows them to us. */
  get others(): string[] {
    return [...this.#people.byIdentity.keys()]
  }

  /** Packets that came from others so far. */
  get received(): Received {
    return this.#received
  }

  /** Addresses and ports that the server has offered for media, such as `udp 10.0.0.7:50000`. */
  get offered(): readonly string[] {
    return [...this.#candidates]
  }

  /** Mutes the microphone, or opens it again, as the server tells others. */
  mute(isMuted: boolean): void {
    const sid = this.#published.get('audio')
    if (sid === undefined) throw new Error('the microphone is not published')
    this.#signal.send({ case: 'mute', value: new MuteTrackRequest({ sid, muted: isMuted }) })
  }

  async leave(): Promise<void> {
    this.#leaving.abort()
    const value = new LeaveRequest({ reason: DisconnectReason.CLIENT_INITIATED })
    this.#signal.send({ case: 'leave', value })
    this.#signal.close()
    await Promise.allSettled([this.#media.close(), this.#sender.close()])
  }

  async #take(message: SignalMessage): Promise<void> {
    // oxlint-disable-next-line typescript/switch-exhaustiveness-check -- the protocol grows
    switch (message.case) {
      case 'join':
        this.#people.begin(message.value.participant?.sid ?? '', message.value.otherParticipants)
        this.#joined.resolve()
        return this.#count()
      case 'trackPublished':
        this.#published.set(message.value.track?.name ?? '', message.value.track?.sid ?? '')
        return
      case 'update':
        this.#people.update(message.value.participants)
        return this.#count()
      case 'offer':
        return this.#answer(message.value)
      case 'answer':
        this.#note(message.value.sdp)
        return this.#sender.setRemoteDescription({
          type: 'answer',
          sdp: withUsableCandidates(message.value.sdp),
        })
      case 'trickle':
        return this.#addCandidate(message.value)
      case 'leave':
        return this.#end(
          new Error(`the server sent us away: ${DisconnectReason[message.value.reason]}`),
        )
      default:
        return
    }
  }

  /** The description with the addresses that the server may know. */
  #shown(sdp: string): string {
    return this.#isBehindNat
      ? sdp.replaceAll(/^a=(?:candidate:.*|end-of-candidates)\r?\n/gm, '')
      : sdp
  }

  #end(error: unknown): void {
    this.#joined.reject(error)
    this.#connected.reject(error)
  }

  #count(): void {
    this.#media.attach()
    for (const track of this.#people.all.flatMap(({ announcedTracks }) => announcedTracks)) {
      if (this.#counted.has(track)) continue
      this.#counted.add(track)
      track.receivers.add({ push: () => void this.#received[track.kind]++, resync() {} })
    }
  }

  async #answer(offer: SessionDescription): Promise<void> {
    this.#note(offer.sdp)
    const sdp = this.#shown(await this.#media.answer(offer))
    const value = new SessionDescription({ type: 'answer', sdp, id: offer.id })
    this.#signal.send({ case: 'answer', value })
  }

  async #addCandidate({ target, candidateInit }: TrickleRequest): Promise<void> {
    this.#note(candidateInit)
    if (target === SignalTarget.SUBSCRIBER) return this.#media.addCandidate(candidateInit)
    await addCandidate(this.#sender, candidateInit, silentLog)
  }

  #note(text: string): void {
    const found = text.matchAll(/candidate:\S+ \d+ (\S+) \d+ (\S+) (\d+) /g)
    for (const [, protocol = '', host = '', port = ''] of found) {
      this.#candidates.add(`${protocol.toLowerCase()} ${host}:${port}`)
    }
  }

  async #send(): Promise<void> {
    const { signal } = this.#leaving
    for (let at = 0; !signal.aborted; at++) {
      for (const [kind, { sender }] of this.#transceivers) {
        if (kind === 'video' && at % VIDEO_EVERY !== 0) continue
        const count = kind === 'audio' ? at : at / VIDEO_EVERY
        const header = new RtpHeader({
          sequenceNumber: count % 65_536,
          timestamp: count * (kind === 'audio' ? AUDIO_TICKS : VIDEO_TICKS),
          marker: kind === 'video',
        })
        const payload = kind === 'audio' ? (this.#opus[at % this.#opus.length] ?? OPUS) : VP8
        await sender.sendRtp(new RtpPacket(header, payload)).catch(() => {})
      }
      await delay(FRAME_MS)
    }
  }
}

function trackRequest(kind: Kind): AddTrackRequest {
  const isVideo = kind === 'video'
  return new AddTrackRequest({
    cid: `test-${kind}`,
    name: kind,
    type: isVideo ? TrackType.VIDEO : TrackType.AUDIO,
    source: isVideo ? TrackSource.CAMERA : TrackSource.MICROPHONE,
    ...(isVideo && SIZE),
  })
}

async function within(ms: number, late: string, work: () => Promise<void>): Promise<void> {
  const timeout = AbortSignal.timeout(ms)
  const expired = new Promise<never>((_resolve, reject) => {
    timeout.addEventListener('abort', () => reject(new Error(late)))
  })
  await Promise.race([work(), expired])
}
