import type {
  ErasedCounts,
  ErasureState,
  RemainingData,
} from '@interview-room/contract/data-protection.ts'

/** A person as a tenant knows them. */
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
  /** Of the same person, and done before this one was requested. */
  previousErasureId: string | null
  requestedAt: Date
  finishedAt: Date | null
}

/** The reference goes when the erasure is done. */
export type Erasure = ErasureBase &
  (
    | { state: 'done'; externalType: null; externalId: null }
    | { state: Exclude<ErasureState, 'done'>; externalType: string; externalId: string }
  )

/** A room that a person entered, or that of a connection test of theirs. */
export interface RoomOfPerson {
  roomId: string
  /** Undefined in a room that people enter. */
  connectionTestId: string | null
  /** When nobody can enter any more; null for a test without an end. */
  endsAt: Date | null
  /** Somebody is inside, or something is being recorded. */
  isBusy: boolean
  /** The file of a recording is still being made: of captures, which say who is in them. */
  isFinishing: boolean
  /** The legal hold that covers it, if any. */
  legalHoldId: string | null
}

/** The provider and the pages of the room may have a last word after its end. */
const QUIET_MS = 5 * 60_000
/** While somebody is still inside, or something is recorded or made: as long as it takes to settle. */
const BUSY_MS = 60_000

export interface Look {
  now: Date
  recordings: Erasure['recordings']
}

/** When to look again whether a room is over; undefined when it is. */
function waitOf(room: RoomOfPerson, { now, recordings }: Look): Date | undefined {
  const quietAt = room.endsAt === null ? now : new Date(room.endsAt.getTime() + QUIET_MS)
  if (quietAt > now) return quietAt
  // A recording that is kept is made whole first; one that goes need not be.
  const isKeptLater = room.isFinishing && recordings === 'keep' && room.connectionTestId === null
  return room.isBusy || isKeptLater ? new Date(now.getTime() + BUSY_MS) : undefined
}

export interface SortedRooms {
  /** Over, and held by nobody. */
  toErase: RoomOfPerson[]
  held: RoomOfPerson[]
  /** The first moment at which one of the others may be over; undefined when all are. */
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

/** What stays of a person, in the words of the receipt. */
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
