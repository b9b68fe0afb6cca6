import type { SlotTimes } from '@interview-room/contract/live-stream.ts'
import type { SessionBody } from '@interview-room/contract/rooms.ts'
import type { Config } from '../../platform/config/config.ts'
import { connectUrl } from './present-room.ts'
import type { StoredSession } from './session-store.ts'
import { statusOf, type Session, windowOf } from './session.ts'

export function presentSession(
  session: StoredSession,
  { config, now }: { config: Pick<Config, 'publicUrl'>; now: Date },
): SessionBody {
  return {
    id: session.id,
    external_type: session.externalType,
    external_id: session.externalId,
    name: session.name,
    access_token: session.accessToken,
    starts_at: session.startsAt.toISOString(),
    ends_at: session.endsAt.toISOString(),
    status: statusOf(session, now),
    room: {
      id: session.roomId,
      session_id: session.id,
      connect_url: connectUrl(config, session.roomId),
    },
    created_at: session.createdAt.toISOString(),
  }
}

/** The times of a slot as published to the pages in its room. */
export function presentSlotTimes(slot: Pick<Session, 'startsAt' | 'endsAt'>): SlotTimes {
  return {
    starts_at: slot.startsAt.toISOString(),
    ends_at: slot.endsAt.toISOString(),
    closes_at: windowOf(slot).closesAt.toISOString(),
  }
}
