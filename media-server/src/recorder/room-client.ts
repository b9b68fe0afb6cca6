import { setTimeout as delay } from 'node:timers/promises'
import {
  DisconnectReason,
  type JoinResponse,
  LeaveRequest,
  LeaveRequest_Action,
  SessionDescription,
  SubscriptionError,
  type SubscriptionResponse,
} from '@livekit/protocol'
import type { CaptureSource, RoomWatcher } from '../egress/capture/capture-source.ts'
import type { Selection } from '../egress/capture/selection.ts'
import { type Log, reasonOf } from '../lib/log.ts'
import type { RtcOptions } from '../rtc/peer.ts'
import { MediaConnection } from './media-connection.ts'
import type { RemoteParticipant } from './remote-participant.ts'
import { RemoteParticipants } from './remote-participants.ts'
import { SignalConnection, type SignalMessage, SignalRefusal } from './signal-connection.ts'
import { TrackRequests } from './track-requests.ts'

export interface RoomClientOptions {
  /** http(s) or ws(s) address of the LiveKit server. */
  url: string
  /** A token that lets us in now. */
  token: () => Promise<string>
  rtc: RtcOptions
  log: Log
  selection: Selection
  /** True while the room exists: joining one that is gone could create it again. */
  isThere: () => Promise<boolean>
  /** How long a connection that broke is sought again. */
  giveUpMs: number
}

/** How to come back to a room: to the connection as it was, or with a new one. */
type Return = 'resume' | 'join'

/** The server ended the connection in words. */
class Dismissal extends Error {
  readonly reason: DisconnectReason

  constructor(reason: DisconnectReason) {
    super(`the server ended the connection: ${DisconnectReason[reason]}`)
    this.reason = reason
  }
}

/** The server was reached, and did not take us in: it may not know the connection that we had. */
class Unanswered extends Error {}

const ANSWER_TIMEOUT_MS = 5000
const RETRY_PAUSE_MS = 500
const WATCH_INTERVAL_MS = 1000
// The library checks the way to the other side every five seconds.
const MEDIA_SILENT_MS = 8000
const MEDIA_CONNECT_MS = 15_000
/** Participants who are missing after a new start of the connection may be coming back just as we do. */
const MISSING_KEPT_MS = 10_000

/** After these nothing of the room is left for us. */
const FINAL_REASONS: readonly DisconnectReason[] = [
  DisconnectReason.ROOM_DELETED,
  DisconnectReason.ROOM_CLOSED,
  DisconnectReason.PARTICIPANT_REMOVED,
  DisconnectReason.DUPLICATE_IDENTITY,
]

/** A room of another server, in which we are to hear or record, and nobody sees us. It finds its way back. */
export class RoomClient implements CaptureSource {
  readonly watchers = new Set<RoomWatcher>()
  isFinished = false
  readonly #options: RoomClientOptions
  readonly #people = new RemoteParticipants()
  readonly #requests: TrackRequests
  #signal: SignalConnection | undefined
  #media: MediaConnection | undefined
  #sid = ''
  /** When the last came over a connection of which the one that follows it is not there yet. */
  #heardAtMs: number | undefined
  #hasJoined = false
  /** Settled by the message that answers our coming. */
  #coming = Promise.withResolvers<void>()
  /** Resolves when the connection is lost. */
  #lost = Promise.withResolvers<Return>()
  #watchTimer: NodeJS.Timeout | undefined
  #missingTimer: NodeJS.Timeout | undefined

  constructor(options: RoomClientOptions) {
    this.#options = options
    this.#requests = new TrackRequests(options.selection)
    void this.#stay()
  }

  get participants(): ReadonlyMap<string, RemoteParticipant> {
    return this.#people.byIdentity
  }

  leave(): void {
    this.isFinished = true
    this.#signal?.send({
      case: 'leave',
      value: new LeaveRequest({ reason: DisconnectReason.CLIENT_INITIATED }),
    })
    this.#break(new Error('left'), 'join')
    void this.#disconnect()
  }

  /** Comes, and comes again whenever the connection is lost, until the room has finished. */
  async #stay(): Promise<void> {
    let way: Return = 'join'
    let soughtSinceMs = performance.now()
    while (!this.isFinished) {
      try {
        await (way === 'resume' ? this.#resume() : this.#join())
        soughtSinceMs = Infinity
        way = await this.#lost.promise
        clearInterval(this.#watchTimer)
        soughtSinceMs = performance.now()
        if (!this.isFinished) this.#log('warn', 'connection to the room lost', { way })
      } catch (error) {
        if (this.isFinished) break
        const soughtMs = performance.now() - soughtSinceMs
        this.#log('warn', 'joining the room failed', { way, reason: reasonOf(error) })
        if (this.#isFinal(error) || soughtMs > this.#options.giveUpMs) return this.#finish(error)
        if (isOfServer(error)) way = 'join'
        await delay(RETRY_PAUSE_MS, undefined, { ref: false })
      }
    }
    await this.#disconnect()
  }

  // A refusal of the first join will not change. After that, a server may just be starting.
  #isFinal(error: unknown): boolean {
    if (error instanceof Dismissal) return FINAL_REASONS.includes(error.reason)
    return error instanceof SignalRefusal && error.status < 500 && !this.#hasJoined
  }

  #finish(error: unknown): void {
    this.isFinished = true
    void this.#disconnect()
    const isRoomGone = this.#hasJoined || (error instanceof SignalRefusal && error.status === 404)
    for (const watcher of this.watchers) {
      if (isRoomGone) watcher.finished()
      else watcher.failed(new Error(`joining the room failed: ${reasonOf(error)}`))
    }
  }

  async #join(): Promise<void> {
    if (this.#media?.hasConnected === true)
      this.#heardAtMs = performance.now() - this.#media.silentMs
    await this.#disconnect()
    if (this.#hasJoined && !(await this.#options.isThere())) throw new SignalRefusal(404)
    const { rtc, log } = this.#options
    this.#requests.reset()
    this.#media = new MediaConnection({
      rtc,
      log,
      findTrack: (sid) => this.#people.findTrack(sid),
      onConnected: () => this.#noteMissed(),
    })
    await this.#open({ auto_subscribe: this.#requests.isEverything ? '1' : '0' })
  }

  #noteMissed(): void {
    if (this.#heardAtMs === undefined) return
    const missedMs = performance.now() - this.#heardAtMs
    this.#heardAtMs = undefined
    for (const watcher of this.watchers) watcher.missed(missedMs)
  }

  async #resume(): Promise<void> {
    this.#signal?.close()
    await this.#open({ reconnect: '1', sid: this.#sid })
  }

  async #open(query: Record<string, string>): Promise<void> {
    const { url, log } = this.#options
    const begunAtMs = performance.now()
    this.#coming = Promise.withResolvers()
    this.#lost = Promise.withResolvers()
    // It may be rejected before anybody waits for it.
    this.#coming.promise.catch(() => {})
    const hooks = {
      onMessage: (message: SignalMessage) => this.#guarded(message),
      onClose: () => this.#break(new Unanswered('signalling closed'), 'resume'),
    }
    const token = await this.#options.token()
    if (this.isFinished) return
    const signal = new SignalConnection(url, { token, query, hooks, log })
    // Before it is open: the first message may come with the answer to the upgrade.
    this.#signal = signal
    await signal.opened
    await Promise.race([this.#coming.promise, refusedAfter(ANSWER_TIMEOUT_MS)])
    const tookMs = Math.round(performance.now() - begunAtMs)
    this.#log('info', 'room joined', { tookMs, isResumed: query['reconnect'] === '1' })
    clearInterval(this.#watchTimer)
    this.#watchTimer = setInterval(() => this.#watchMedia(begunAtMs), WATCH_INTERVAL_MS).unref()
  }

  #guarded(message: SignalMessage): void {
    void this.#receive(message).catch((error: unknown) => {
      this.#log('error', 'signal message failed', { kind: message.case, reason: reasonOf(error) })
      if (message.case === 'offer') this.#break(error, 'join')
    })
  }

  async #receive(message: SignalMessage): Promise<void> {
    // oxlint-disable-next-line typescript/switch-exhaustiveness-check -- the protocol grows
    switch (message.case) {
      case 'join':
        return this.#takeJoin(message.value)
      case 'reconnect':
        return this.#coming.resolve()
      case 'update':
        this.#people.update(message.value.participants)
        return this.#noteChange()
      case 'offer':
        return this.#answer(message.value)
      case 'trickle':
        return this.#media?.addCandidate(message.value.candidateInit)
      case 'speakersChanged':
        return this.#people.speak(message.value.speakers)
      case 'subscriptionResponse':
        return this.#complain(message.value)
      case 'leave':
        return this.#break(new Dismissal(message.value.reason), wayAfter(message.value))
      default:
        return
    }
  }

  #break(error: unknown, way: Return): void {
    if (error instanceof Dismissal && this.#isFinal(error) && !this.isFinished) this.#finish(error)
    this.#coming.reject(error)
    this.#lost.resolve(way)
  }

  #takeJoin({ participant, otherParticipants }: JoinResponse): void {
    this.#sid = participant?.sid ?? ''
    const missing = this.#people.begin(this.#sid, otherParticipants)
    clearTimeout(this.#missingTimer)
    this.#missingTimer = setTimeout(() => {
      this.#people.forget(missing)
      this.#noteChange()
    }, MISSING_KEPT_MS).unref()
    this.#hasJoined = true
    this.#coming.resolve()
    this.#noteChange()
  }

  #noteChange(): void {
    this.#media?.attach()
    for (const demand of this.#requests.take(this.#people.all)) this.#signal?.send(demand)
    for (const watcher of this.watchers) watcher.changed()
  }

  async #answer(offer: SessionDescription): Promise<void> {
    const sdp = await this.#media?.answer(offer)
    if (sdp === undefined) return
    const value = new SessionDescription({ type: 'answer', sdp, id: offer.id })
    this.#signal?.send({ case: 'answer', value })
  }

  /** The server does not send us a track. */
  #complain({ trackSid, err }: SubscriptionResponse): void {
    const { mimeType = 'unknown' } = this.#people.findTrack(trackSid)?.info ?? {}
    const isCodec = err === SubscriptionError.SE_CODEC_UNSUPPORTED
    const reason = isCodec ? `${mimeType}, only VP8 and Opus are` : SubscriptionError[err]
    this.#log('error', 'track not recorded', { track: trackSid, reason })
    const codec = isCodec ? mimeType : undefined
    for (const watcher of this.watchers) watcher.unrecordable(trackSid, reason, codec)
  }

  #watchMedia(begunAtMs: number): void {
    const media = this.#media
    if (media === undefined || this.#requests.isIdle(this.#people.all)) return
    const isLate = !media.hasConnected && performance.now() - begunAtMs > MEDIA_CONNECT_MS
    const silentMs = Math.min(media.silentMs, performance.now() - begunAtMs)
    if (isLate || (media.hasConnected && silentMs > MEDIA_SILENT_MS)) {
      this.#break(new Error('no media come'), 'join')
    }
  }

  async #disconnect(): Promise<void> {
    clearInterval(this.#watchTimer)
    if (this.isFinished) clearTimeout(this.#missingTimer)
    const [signal, media] = [this.#signal, this.#media]
    this.#signal = undefined
    this.#media = undefined
    signal?.close()
    await media?.close().catch((error: unknown) => {
      this.#log('warn', 'closing media failed', { reason: reasonOf(error) })
    })
  }

  #log(level: 'info' | 'warn' | 'error', msg: string, fields: Record<string, unknown>): void {
    this.#options.log({ level, msg, ...fields })
  }
}

/** Not of a server out of reach, which may know us when it is back. */
function isOfServer(error: unknown): boolean {
  return [Dismissal, SignalRefusal, Unanswered].some((kind) => error instanceof kind)
}

function wayAfter({ action }: LeaveRequest): Return {
  return action === LeaveRequest_Action.RESUME ? 'resume' : 'join'
}

async function refusedAfter(ms: number): Promise<never> {
  await delay(ms, undefined, { ref: false })
  throw new Unanswered('the server does not answer')
}
