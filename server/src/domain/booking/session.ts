import { WINDOW_MARGIN_SEC, WINDOW_NOTICE_SEC } from '@interview-room/contract/limits.ts'
import type { SessionStatus } from '@interview-room/contract/vocabulary.ts'

/** A booked slot. It has no status column: `statusOf` derives the status from these times. */
export interface Session {
  id: string
  roomId: string
  externalType: string
  externalId: string
  name: string | null
  accessToken: string
  startsAt: Date
  endsAt: Date
  createdAt: Date
  cancelledAt: Date | null
}

export interface SessionKey {
  tenantId: string
  sessionId: string
}

export interface Window {
  opensAt: Date
  closesAt: Date
}

/** The last moment that RFC 3339 can write. */
const LAST_MS = Date.UTC(9999, 11, 31, 23, 59, 59, 999)

/** The window of entry: [opensAt, closesAt], both ends included. */
export function windowOf({ startsAt, endsAt }: Pick<Session, 'startsAt' | 'endsAt'>): Window {
  return {
    opensAt: new Date(startsAt.getTime() - WINDOW_MARGIN_SEC * 1000),
    closesAt: new Date(Math.min(endsAt.getTime() + WINDOW_MARGIN_SEC * 1000, LAST_MS)),
  }
}

/** The window of every slot that ends at this moment or earlier is over. */
export function openSlotsEndAfter(now: Date): Date {
  return new Date(now.getTime() - WINDOW_MARGIN_SEC * 1000)
}

/** The window of every slot that starts at this moment or earlier has opened. */
export function openSlotsStartUntil(now: Date): Date {
  return new Date(now.getTime() + WINDOW_MARGIN_SEC * 1000)
}

/** The time when participants who stayed are removed. */
export function noticeEndOf(session: Pick<Session, 'startsAt' | 'endsAt'>): Date {
  return new Date(windowOf(session).closesAt.getTime() + WINDOW_NOTICE_SEC * 1000)
}

export interface SessionState extends Pick<Session, 'startsAt' | 'endsAt' | 'cancelledAt'> {
  roomClosedAt: Date | null
}

/** "Session status" of the contract: cancellation mark, then the room's close, then the time. */
export function statusOf(session: SessionState, now: Date): SessionStatus {
  if (session.cancelledAt !== null) return 'cancelled'
  if (session.roomClosedAt !== null) return 'closed'

  const { opensAt, closesAt } = windowOf(session)
  if (now < opensAt) return 'scheduled'
  if (now > closesAt) return 'closed'
  return 'active'
}

/** Closing a room before its slot, if nobody has ever entered, is a cancellation. */
export function isCancelledByClose(
  session: Pick<Session, 'startsAt'>,
  { hasEntries, now }: { hasEntries: boolean; now: Date },
): boolean {
  return !hasEntries && now < session.startsAt
}

/** Cancelled or closed: no entry is possible and the slot cannot be changed. */
export function isReleased({
  cancelledAt,
  roomClosedAt,
}: Pick<SessionState, 'cancelledAt' | 'roomClosedAt'>): boolean {
  return cancelledAt !== null || roomClosedAt !== null
}
