import type { SlotTimes } from '@interview-room/contract/live-stream.ts'
import { type Session, windowOf } from './session.ts'

/** The times of a slot as published to the pages in its room. */
export function presentSlotTimes(slot: Pick<Session, 'startsAt' | 'endsAt'>): SlotTimes {
  return {
    starts_at: slot.startsAt.toISOString(),
    ends_at: slot.endsAt.toISOString(),
    closes_at: windowOf(slot).closesAt.toISOString(),
  }
}
