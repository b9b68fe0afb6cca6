import { DisconnectReason } from '@livekit/protocol'
import type { EgressRooms } from '../egress/egress-rooms.ts'
import type { AwakeClock } from '../lib/awake-clock.ts'
import { adaptSubscribers } from './adapt-subscribers.ts'
import { refreshToken } from './joining.ts'
import { leave } from './leaving.ts'
import type { Participant } from './participant.ts'
import { sendQuality } from './quality.ts'
import {
  DEFAULT_ROOM_SETTINGS,
  type Departure,
  Room,
  type RoomContext,
  type RoomSettings,
  TIMED_OUT,
} from './room.ts'

const SWEEP_INTERVAL_MS = 500
const ADAPT_INTERVAL_MS = 500
const QUALITY_INTERVAL_MS = 5000
const REFRESH_INTERVAL_MS = 5 * 60_000

// A killed browser closes its socket immediately and falls silent; a lost network only falls silent.
const SILENT_WITHOUT_SOCKET_MS = 4000
const SILENT_MS = 20_000

/** Every room of the server, and the clock that ends what has ended. */
export class Rooms {
  readonly #context: RoomContext
  readonly #rooms = new Map<string, Room>()
  readonly #timers: NodeJS.Timeout[]

  constructor(context: RoomContext) {
    this.#context = context
    this.#timers = [
      // After a standstill, packets that wait in the sockets are read before anybody is judged.
      setInterval(() => setImmediate(() => this.#sweep()), SWEEP_INTERVAL_MS),
      setInterval(() => this.#eachRoom(adaptSubscribers), ADAPT_INTERVAL_MS),
      setInterval(() => this.#eachRoom(sendQuality), QUALITY_INTERVAL_MS),
      setInterval(() => this.#eachRoom(refreshTokens), REFRESH_INTERVAL_MS),
    ].map((timer) => timer.unref())
  }

  find(name: string): Room | undefined {
    return this.#rooms.get(name)
  }

  list(): Room[] {
    return [...this.#rooms.values()]
  }

  /** The room of this name; one that exists keeps its settings. Zero and empty mean the default. */
  create(name: string, settings: Partial<RoomSettings> = {}): Room {
    const existing = this.#rooms.get(name)
    if (existing !== undefined) return existing

    const given = Object.fromEntries(Object.entries(settings).filter(([, value]) => Boolean(value)))
    const room = new Room(name, { ...DEFAULT_ROOM_SETTINGS, ...given }, this.#context)
    this.#rooms.set(name, room)
    return room
  }

  delete(room: Room, reason: DisconnectReason): void {
    this.#rooms.delete(room.name)
    for (const participant of room.participants.values()) leave(room, participant, { reason })
    room.finish()
  }

  close(): void {
    for (const timer of this.#timers) clearInterval(timer)
    for (const room of this.list()) this.delete(room, DisconnectReason.SERVER_SHUTDOWN)
  }

  #eachRoom(act: (room: Room) => void): void {
    for (const room of this.#rooms.values()) act(room)
  }

  #sweep(): void {
    const { awake, joinTimeoutMs } = this.#context
    awake.tick()
    for (const room of this.#rooms.values()) {
      for (const participant of room.participants.values()) {
        const departure = overdue(participant, awake, joinTimeoutMs)
        if (departure !== undefined) leave(room, participant, departure)
      }
      if (room.isExpired(awake.nowMs)) this.delete(room, DisconnectReason.ROOM_CLOSED)
    }
  }
}

/** Why the participant can no longer be taken to be there, or undefined while it can. */
export function overdue(
  participant: Pick<Participant, 'isActive' | 'enteredAtMs' | 'lastActivityAtMs'> & {
    socket: unknown
  },
  { nowMs, wokeAtMs }: Pick<AwakeClock, 'nowMs' | 'wokeAtMs'>,
  joinTimeoutMs: number,
): Departure | undefined {
  const silentMs = nowMs - Math.max(participant.lastActivityAtMs, wokeAtMs)
  if (participant.socket === undefined && silentMs > SILENT_WITHOUT_SOCKET_MS) {
    return TIMED_OUT
  }
  if (participant.isActive) {
    return silentMs > SILENT_MS ? TIMED_OUT : undefined
  }
  const connectingMs = nowMs - Math.max(participant.enteredAtMs, wokeAtMs)
  return connectingMs > joinTimeoutMs ? { reason: DisconnectReason.JOIN_FAILURE } : undefined
}

function refreshTokens(room: Room): void {
  for (const participant of room.participants.values()) refreshToken(room, participant)
}

/** The rooms of this server: recording reads them without joining. */
export function recordableRooms(rooms: Rooms): EgressRooms {
  return {
    find(name) {
      const room = rooms.find(name)
      return room && { sid: room.sid, name: room.name, enter: () => room }
    },
    markRecorded: (name, isRecorded) => rooms.find(name)?.setRecorded(isRecorded),
  }
}
