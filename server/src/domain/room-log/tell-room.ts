import type { LoggedEventName } from '@interview-room/contract/live-stream.ts'
import { ROLES, type Role } from '@interview-room/contract/vocabulary.ts'
import type { Fragment, Query, Tx } from '../../platform/db/db.ts'
import {
  appendingLiveEvent,
  appendLiveEvent,
  type NewLiveEvent,
  wasTold,
} from './live-event-store.ts'
import { ofAClock } from './room-clock.ts'
import type { HeldRoom } from './room-lock.ts'

export { hinting } from './live-event-store.ts'

/** What is told. */
export interface Telling {
  name: LoggedEventName
  /** Everybody unless given. */
  roles?: readonly Role[]
  participantId?: string
  /** Only the page of this entry. */
  admissionId?: string
  messageId?: string
  payload?: Record<string, unknown>
}

/**
 * Tells the pages in a room what changed, in the transaction that changes it. Takes the room's
 * clock: among the last statements of the transaction.
 */
export async function tellRoom(tx: Tx, { roomId }: HeldRoom, told: Telling): Promise<void> {
  ofAClock(await appendLiveEvent(tx, rowOf(roomId, told)))
}

/**
 * Part of a statement that writes what is told in the same breath: `from` is a list of tables, with the
 * `moment` (`seq`, `at`) of `advancingClock` among them; `hinting` stands in its last select.
 */
export function tellingRoom(query: Query, roomId: string, told: Telling & { from: Fragment }) {
  return appendingLiveEvent(query, rowOf(roomId, told), told.from)
}

function rowOf(roomId: string, told: Telling): NewLiveEvent {
  return {
    roomId,
    name: told.name,
    roles: told.roles ?? ROLES,
    participantId: told.participantId ?? null,
    admissionId: told.admissionId ?? null,
    messageId: told.messageId ?? null,
    payload: told.payload ?? null,
  }
}

/** The same, unless an event of this name was told before. The caller holds the room. */
export async function tellRoomOnce(tx: Tx, room: HeldRoom, told: Telling): Promise<void> {
  if (!(await wasTold(tx, room.roomId, told.name))) await tellRoom(tx, room, told)
}

export async function isToldClosed(query: Query, roomId: string): Promise<boolean> {
  return wasTold(query, roomId, 'closed')
}

/** Whether the pages were told that the window is over. */
export async function wasNoticed(query: Query, roomId: string): Promise<boolean> {
  return wasTold(query, roomId, 'closing')
}
