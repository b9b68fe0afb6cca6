import type {
  ErasedCounts,
  ErasureState,
  RemainingData,
} from '@interview-room/contract/data-protection.ts'

/** A person, by the tenant's reference. */
export interface DataSubject {
  tenantId: string
  externalType: string
  externalId: string
}

interface ErasureBase {
  id: string
  tenantId: string
  /** Keyed hash of the reference. */
  subject: string
  recordings: 'delete' | 'keep'
  requestedBy: string
  state: ErasureState
  waitsUntil: Date | null
  removed: ErasedCounts
  keptRooms: readonly string[]
  remains: readonly RemainingData[]
  objectKeys: readonly string[]
  receipt: string | null
  /** An earlier erasure of the same person, done before this one was requested. */
  previousErasureId: string | null
  requestedAt: Date
  finishedAt: Date | null
}

/** The reference is deleted when the erasure is done. */
export type Erasure = ErasureBase &
  (
    | { state: 'done'; externalType: null; externalId: null }
    | { state: Exclude<ErasureState, 'done'>; externalType: string; externalId: string }
  )

/** A room that the person entered, or the room of one of their connection tests. */
export interface RoomOfPerson {
  roomId: string
  /** Undefined in an interview room. */
  connectionTestId: string | null
  /** The end of entry; null for a test without an end. */
  endsAt: Date | null
  /** Somebody is inside, or a recording is running. */
  isBusy: boolean
  /** A recording's file is still being made from captures, whose rows name the people. */
  isFinishing: boolean
  /** The legal hold that covers the room, if any. */
  legalHoldId: string | null
}

/** The provider and the room's pages may still report something after its end. */
const QUIET_MS = 5 * 60_000
/** Pause between checks while somebody is inside or a recording is running or being made. */
const BUSY_MS = 60_000

export interface Look {
  now: Date
  recordings: Erasure['recordings']
}

/** The time of the next check whether a room is over. Returns undefined when it is. */
function waitOf(room: RoomOfPerson, { now, recordings }: Look): Date | undefined {
  const quietAt = room.endsAt === null ? now : new Date(room.endsAt.getTime() + QUIET_MS)
  if (quietAt > now) return quietAt
  // A recording that is kept is completed first. One that is deleted need not be.
  const isKeptLater = room.isFinishing && recordings === 'keep' && room.connectionTestId === null
  return room.isBusy || isKeptLater ? new Date(now.getTime() + BUSY_MS) : undefined
}

export interface SortedRooms {
  /** Rooms that are over and without a hold. */
  toErase: RoomOfPerson[]
  held: RoomOfPerson[]
  /** The first moment at which one of the remaining rooms may be over; undefined without such rooms. */
  waitsUntil: Date | undefined
}

export function sortRooms(rooms: readonly RoomOfPerson[], look: Look): SortedRooms {
  const held = rooms.filter(({ legalHoldId }) => legalHoldId !== null)
  const free = rooms.filter(({ legalHoldId }) => legalHoldId === null)
  const waits = free.map((room) => waitOf(room, look)).filter((at) => at !== undefined)
  return {
    toErase: free.filter((room) => waitOf(room, look) === undefined),
    held,
    waitsUntil: waits.toSorted((a, b) => a.getTime() - b.getTime())[0],
  }
}

/** The data that stays, as listed in the receipt. */
export function remainsOf(
  held: readonly RoomOfPerson[],
  keptRooms: readonly string[],
): RemainingData[] {
  return [
    ...held.map(({ roomId, legalHoldId }) => ({
      room_id: roomId,
      what: 'everything' as const,
      reason: 'legal_hold' as const,
      legal_hold_id: legalHoldId,
    })),
    ...keptRooms.map((roomId) => ({
      room_id: roomId,
      what: 'recordings' as const,
      reason: 'kept_on_request' as const,
      legal_hold_id: null,
    })),
  ]
}

export const NOTHING_REMOVED: ErasedCounts = {
  participants: 0,
  entries: 0,
  admissions: 0,
  room_events: 0,
  chat_messages: 0,
  live_texts: 0,
  recordings: 0,
  processed_recordings: 0,
  clips: 0,
  transcriptions: 0,
  connection_tests: 0,
  events: 0,
}

export function addCounts(a: ErasedCounts, b: ErasedCounts): ErasedCounts {
  const kinds = Object.keys(NOTHING_REMOVED) as (keyof ErasedCounts)[]
  return Object.fromEntries(kinds.map((kind) => [kind, a[kind] + b[kind]])) as ErasedCounts
}
