import type { LoggedEventName } from '@interview-room/contract/live-stream.ts'
import { ROLES, type Role } from '@interview-room/contract/vocabulary.ts'
import type { Query, Tx } from '../db/db.ts'
import { nextRoomMoment } from '../rooms/room-clock.ts'
import type { HeldRoom } from '../rooms/room-lock.ts'
import { insertLiveEvent, wasTold } from './store.ts'

/** PostgreSQL channel of the hints; the payload is the room's id. */
export const LIVE_CHANNEL = 'live'

export interface NewLiveEvent {
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
export async function tellRoom(tx: Tx, room: HeldRoom, event: NewLiveEvent): Promise<void> {
  const { roomId } = room
  const { seq, at } = await nextRoomMoment(tx, room)
  await insertLiveEvent(tx, {
    roomId,
    seq,
    name: event.name,
    roles: event.roles ?? ROLES,
    participantId: event.participantId ?? null,
    admissionId: event.admissionId ?? null,
    messageId: event.messageId ?? null,
    payload: event.payload ?? null,
    createdAt: at,
  })
  await tx`select pg_notify(${LIVE_CHANNEL}, ${roomId})`
}

/** The same, unless an event of this name was told before. The caller holds the room. */
export async function tellRoomOnce(tx: Tx, room: HeldRoom, event: NewLiveEvent): Promise<void> {
  if (!(await wasTold(tx, room.roomId, event.name))) await tellRoom(tx, room, event)
}

export async function isToldClosed(query: Query, roomId: string): Promise<boolean> {
  return wasTold(query, roomId, 'closed')
}

/** Whether the pages were told that the window is over. */
export async function wasNoticed(query: Query, roomId: string): Promise<boolean> {
  return wasTold(query, roomId, 'closing')
}
