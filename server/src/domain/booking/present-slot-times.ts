import type { SlotTimes } from '@interview-room/contract/live-stream.ts'
import { type Session, windowOf } from './session.ts'

/** The times of a slot as the pages in its room are told. */
export function presentSlotTimes(slot: Pick<Session, 'startsAt' | 'endsAt'>): SlotTimes {
  return {
    starts_at: slot.startsAt.toISOString(),
    ends_at: slot.endsAt.toISOString(),
    closes_at: windowOf(slot).closesAt.toISOString(),
  }
}
