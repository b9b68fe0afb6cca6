import type { LoggedEventName } from '@interview-room/contract/live-stream.ts'
import { STREAM_READERS } from '@interview-room/contract/stream-readers.ts'
import type { Role } from '@interview-room/contract/vocabulary.ts'
import type { Fragment, Query, Tx } from '../../platform/db/db.ts'
import {
  appendingLiveEvent,
  appendLiveEvent,
  findPublished,
  type NewLiveEvent,
} from './live-event-store.ts'
import { ofAClock } from './room-clock.ts'
import type { LockedRoom } from './room-lock.ts'

export { hintAt, hinting } from './live-event-store.ts'

/** A live event before it has a position in the log. */
export interface LiveEventInput {
  name: LoggedEventName
  /** Fewer readers than the contract's `STREAM_READERS` name. All of those if it is left out. */
  roles?: readonly Role[]
  participantId?: string
  /** Restricts the event to the page of this entry. */
  admissionId?: string
  messageId?: string
  payload?: Record<string, unknown>
}

/**
 * Publishes a change to the pages of a room, in the transaction that makes it. It takes the room's clock, so call it among
 * the last statements of the transaction.
 */
export async function publishLiveEvent(
  tx: Tx,
  { roomId }: LockedRoom,
  event: LiveEventInput,
): Promise<void> {
  ofAClock(await appendLiveEvent(tx, rowOf(roomId, event)))
}

/**
 * Part of a larger statement that publishes a live event. `from` is a list of tables and includes the `moment` (`seq`,
 * `at`) of `advancingClock`. Call `hintAt` after it, or let its last select contain `hinting`.
 */
export function publishingLiveEvent(
  query: Query,
  roomId: string,
  event: LiveEventInput & { from: Fragment },
) {
  return appendingLiveEvent(query, rowOf(roomId, event), event.from)
}

function rowOf(roomId: string, event: LiveEventInput): NewLiveEvent {
  return {
    roomId,
    name: event.name,
    roles: readersOf(event),
    participantId: event.participantId ?? null,
    admissionId: event.admissionId ?? null,
    messageId: event.messageId ?? null,
    payload: event.payload ?? null,
  }
}

function readersOf({ name, roles }: LiveEventInput): readonly Role[] {
  return STREAM_READERS[name].filter((role) => roles?.includes(role) !== false)
}

/**
 * The same, unless an event of this name was published since the slot was last moved: a moved slot ends again. Returns the
 * position of the event. The caller has locked the room.
 */
export async function publishLiveEventOnce(
  tx: Tx,
  { roomId }: LockedRoom,
  event: LiveEventInput,
): Promise<bigint> {
  const published = await findPublished(tx, roomId, event.name)
  return published ?? ofAClock(await appendLiveEvent(tx, rowOf(roomId, event))).seq
}

export async function isClosePublished(query: Query, roomId: string): Promise<boolean> {
  return (await findPublished(query, roomId, 'closed')) !== undefined
}

/** True when the end of the window was announced to the pages. */
export async function isCloseAnnounced(query: Query, roomId: string): Promise<boolean> {
  return (await findPublished(query, roomId, 'closing')) !== undefined
}
