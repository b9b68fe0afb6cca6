import {
  Codec,
  DisconnectReason,
  LeaveRequest,
  LeaveRequest_Action,
  type ParticipantInfo,
  ParticipantInfo_State,
  ParticipantUpdate,
  Room as RoomInfo,
  RoomUpdate,
  SpeakersChanged,
  type WebhookEvent,
} from '@livekit/protocol'
import type { ApiKeys } from '../api/tokens.ts'
import type { EventContent, WebhookSender } from '../api/webhooks.ts'
import type { RoomWatcher } from '../egress/capture/capture-source.ts'
import type { AwakeClock } from '../lib/awake-clock.ts'
import { newId } from '../lib/ids.ts'
import { type Log, reasonOf } from '../lib/log.ts'
import type { RtcOptions } from '../rtc/peer.ts'
import { Departures } from './departures.ts'
import type { Participant } from './participant.ts'
import { Removals } from './removals.ts'
import { changedSpeakers, SPEAKER_INTERVAL_MS, speakerOf } from './speakers.ts'

/** The server, as far as rooms need it. */
export interface RoomContext {
  apiKeys: ApiKeys
  rtc: RtcOptions
  log: Log
  webhooks: WebhookSender
  /** By which presence and absence are judged. */
  awake: AwakeClock
  /** How long media may take to come up, in milliseconds. */
  joinTimeoutMs: number
}

/** Why a connection ends, and what its client is to do then (default: nothing). */
export interface Departure {
  reason: DisconnectReason
  action?: LeaveRequest_Action
}

/** The client's idea of the connection is wrong; it comes again with a new one. */
export const START_OVER: Departure = {
  reason: DisconnectReason.STATE_MISMATCH,
  action: LeaveRequest_Action.RECONNECT,
}

/** Nothing has come from the client for long. One that is there after all comes again with a new connection. */
export const TIMED_OUT: Departure = {
  reason: DisconnectReason.CONNECTION_TIMEOUT,
  action: LeaveRequest_Action.RECONNECT,
}

export interface RoomSettings {
  emptyTimeoutSec: number
  departureTimeoutSec: number
  /** 0: no limit. */
  participantsMax: number
  metadata: string
}

export const DEFAULT_ROOM_SETTINGS: RoomSettings = {
  emptyTimeoutSec: 300,
  departureTimeoutSec: 20,
  participantsMax: 0,
  metadata: '',
}

const ENABLED_CODECS = ['audio/opus', 'video/VP8', 'video/rtx']

/** One media room: its participants, what they may know of each other, and what is published outside. */
export class Room {
  readonly sid = newId('RM_')
  readonly name: string
  readonly createdAtMs = Date.now()
  readonly context: RoomContext
  readonly participants = new Map<string, Participant>()
  readonly removals = new Removals()
  readonly watchers = new Set<RoomWatcher>()
  settings: RoomSettings
  isFinished = false
  #isRecorded = false
  #hasBeenJoined = false
  /** In the time of `awake`. */
  #emptySinceMs: number
  #sentLevels: ReadonlyMap<string, number> = new Map()
  readonly #departures = new Departures()
  readonly #speakerTimer: NodeJS.Timeout

  constructor(name: string, settings: RoomSettings, context: RoomContext) {
    this.name = name
    this.settings = settings
    this.context = context
    this.#emptySinceMs = context.awake.nowMs
    this.#speakerTimer = setInterval(() => this.#sendSpeakers(), SPEAKER_INTERVAL_MS).unref()
    this.notify({ event: 'room_started', room: this.toInfo() })
  }

  /** The room as it is; for the server's callers alone, because hidden people count. */
  toInfo(): RoomInfo {
    return this.#infoOf([...this.participants.values()])
  }

  /** The room as published to a client: the count includes itself and those it may see. */
  infoFor(participant: Participant): RoomInfo {
    const present = [...this.participants.values()]
    return this.#infoOf(present.filter((one) => one === participant || !one.isHidden))
  }

  #infoOf(present: readonly Participant[]): RoomInfo {
    return new RoomInfo({
      sid: this.sid,
      name: this.name,
      emptyTimeout: this.settings.emptyTimeoutSec,
      departureTimeout: this.settings.departureTimeoutSec,
      maxParticipants: this.settings.participantsMax,
      creationTime: BigInt(Math.floor(this.createdAtMs / 1000)),
      creationTimeMs: BigInt(this.createdAtMs),
      enabledCodecs: ENABLED_CODECS.map((mime) => new Codec({ mime })),
      metadata: this.settings.metadata,
      numParticipants: present.filter((one) => !one.isDependent).length,
      numPublishers: present.filter((one) => one.announcedTracks.length > 0).length,
      activeRecording: this.#isRecorded || this.#hasRecorder,
    })
  }

  /** Members of the room who may be announced to each other. */
  get visible(): Participant[] {
    return [...this.participants.values()].filter((one) => one.isActive && !one.isHidden)
  }

  get isFull(): boolean {
    const { participantsMax } = this.settings
    if (participantsMax === 0) return false
    return (
      [...this.participants.values()].filter((one) => !one.isDependent).length >= participantsMax
    )
  }

  /** Participants who left lately, for clients that could not hear of it. */
  get departed(): ParticipantInfo[] {
    return this.#departures.recent.filter(({ identity }) => !this.participants.has(identity))
  }

  /** A recorder that joined, like that of another program. */
  get #hasRecorder(): boolean {
    return [...this.participants.values()].some((one) => one.isActive && one.permission.recorder)
  }

  setRecorded(isRecorded: boolean): void {
    if (this.#isRecorded === isRecorded) return
    this.#isRecorded = isRecorded
    this.sendRoomUpdate()
  }

  enter(participant: Participant): void {
    this.#hasBeenJoined = true
    this.participants.set(participant.identity, participant)
  }

  /** How long the room may still stand empty is over. `nowMs`: in the time of `awake`. */
  isExpired(nowMs: number): boolean {
    if ([...this.participants.values()].some((one) => !one.isDependent)) {
      this.#emptySinceMs = nowMs
      return false
    }
    const { emptyTimeoutSec, departureTimeoutSec } = this.settings
    const limitSec = this.#hasBeenJoined ? departureTimeoutSec : emptyTimeoutSec
    return nowMs - this.#emptySinceMs > limitSec * 1000
  }

  /** The participant's primary connection is up for the first time. */
  activate(participant: Participant): void {
    if (participant.isActive || participant.isGone) return
    participant.state = ParticipantInfo_State.ACTIVE
    this.#departures.forget(participant.identity)
    this.sendChange(participant)
    if (participant.permission.recorder) this.sendRoomUpdate()
    this.notify({ event: 'participant_joined', ...this.#subject(participant) })
  }

  /** Sends the participant's present state to everybody who may know it, itself included. */
  sendChange(participant: Participant, audience: 'everyone' | 'others' = 'everyone'): void {
    participant.bumpVersion()
    const update = new ParticipantUpdate({ participants: [participant.toInfo()] })
    for (const other of this.participants.values()) {
      const isSelf = other === participant
      if (isSelf ? audience === 'others' : participant.isHidden || !participant.isActive) continue
      other.send({ case: 'update', value: update })
    }
    for (const watcher of this.watchers) watcher.changed()
  }

  sendRoomUpdate(): void {
    for (const participant of this.participants.values()) {
      const value = new RoomUpdate({ room: this.infoFor(participant) })
      participant.send({ case: 'roomUpdate', value })
    }
  }

  /**
   * Removes a participant that no longer publishes anything; it and the others are notified. A second
   * call does nothing.
   */
  remove(participant: Participant, departure: Departure): void {
    if (participant.isGone) return
    const wasActive = participant.isActive
    participant.state = ParticipantInfo_State.DISCONNECTED
    participant.disconnectReason = departure.reason
    // By object, not by identity: a late close of an old connection must not remove the new one.
    if (this.participants.get(participant.identity) === participant) {
      this.participants.delete(participant.identity)
    }

    participant.send({ case: 'leave', value: leaveOf(departure) })
    participant.socket?.close()
    void participant.closePeers().catch((error: unknown) => {
      this.context.log({ level: 'warn', msg: 'closing the peer failed', reason: reasonOf(error) })
    })

    this.#announceDeparture(participant, wasActive)
    if (wasActive && participant.permission.recorder) this.sendRoomUpdate()
    const event = wasActive ? 'participant_left' : 'participant_connection_aborted'
    this.notify({ event, ...this.#subject(participant) })
    for (const watcher of this.watchers) watcher.changed()
  }

  /** The connection cannot be repaired; the client starts over with a new one. */
  requestRejoin(participant: Participant): void {
    const value = leaveOf(START_OVER)
    participant.send({ case: 'leave', value })
    participant.socket?.close()
  }

  finish(): void {
    if (this.isFinished) return
    this.isFinished = true
    clearInterval(this.#speakerTimer)
    this.notify({ event: 'room_finished', room: this.toInfo() })
    for (const watcher of this.watchers) watcher.finished()
  }

  notify(content: EventContent): void {
    this.context.webhooks.send(this.name, content)
  }

  #subject(participant: Participant): Pick<WebhookEvent, 'room' | 'participant'> {
    return { room: this.toInfo(), participant: participant.toInfo() }
  }

  #announceDeparture(participant: Participant, wasActive: boolean): void {
    participant.bumpVersion()
    const info = participant.toInfo()
    const others = this.participants.values()
    if (!wasActive) this.#departures.giveUp(info, others)
    else if (!participant.isHidden) this.#departures.announce(info, others)
  }

  /** To a client that may have missed changes: everybody who speaks, and everybody who does not. */
  sendAllSpeakers(participant: Participant): void {
    const others = this.visible.filter((one) => one !== participant)
    const speakers = others.map(({ sid }) => speakerOf(sid, this.#sentLevels.get(sid) ?? 0))
    participant.send({ case: 'speakersChanged', value: new SpeakersChanged({ speakers }) })
  }

  #sendSpeakers(): void {
    const measured = new Map<string, number>()
    for (const participant of this.visible) {
      const levels = participant.announcedTracks.map((track) => track.levels.take())
      const level = Math.max(0, ...levels)
      if (level > 0) measured.set(participant.sid, level)
    }
    const speakers = changedSpeakers(this.#sentLevels, measured)
    this.#sentLevels = measured
    if (speakers.length === 0) return

    const value = new SpeakersChanged({ speakers })
    for (const participant of this.participants.values()) {
      participant.send({ case: 'speakersChanged', value })
    }
  }
}

export function leaveOf({ reason, action }: Departure): LeaveRequest {
  const { DISCONNECT } = LeaveRequest_Action
  const canReconnect = action !== undefined && action !== DISCONNECT
  return new LeaveRequest({ reason, action: action ?? DISCONNECT, canReconnect })
}
