import type { EntryHistoryBody } from '@interview-room/contract/participants.ts'
import { toSafeInteger } from '../../platform/db/db.ts'
import { durationSecOf, type Entry } from './entry.ts'

export function presentEntryHistory(entry: Entry): EntryHistoryBody {
  return {
    id: toSafeInteger(entry.id),
    room_id: entry.roomId,
    participant_id: entry.participantId,
    name: entry.name,
    role: entry.role,
    browser_name: entry.browserName,
    browser_version: entry.browserVersion,
    platform_name: entry.platformName,
    platform_version: entry.platformVersion,
    ip_address: entry.ipAddress,
    entered_at: entry.enteredAt.toISOString(),
    left_at: entry.leftAt?.toISOString() ?? null,
    duration_sec: durationSecOf(entry),
  }
}
