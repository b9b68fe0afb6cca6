import { RETENTION_NOTICE_DAYS } from '@interview-room/contract/limits.ts'
import type { RetentionKind } from '@interview-room/contract/retention.ts'

const DAY_MS = 24 * 60 * 60 * 1000

/** Days of each kind from the end of a room until its records are deleted; null for no rule. */
export type RetentionDays = Record<RetentionKind, number | null>

export interface RetentionRule {
  kind: RetentionKind
  days: number
}

/** How long a notice stands before the deletion: never longer than the rule itself. */
function noticeMs({ days }: RetentionRule): number {
  return Math.min(days, RETENTION_NOTICE_DAYS) * DAY_MS
}

/** When the rule lets the records of a room go that ended then. */
export function dueAt({ days }: RetentionRule, endedAt: Date): Date {
  return new Date(endedAt.getTime() + days * DAY_MS)
}

/** Rooms that ended until then get their notice. */
export function noticedUntil(rule: RetentionRule, now: Date): Date {
  return new Date(now.getTime() + noticeMs(rule) - rule.days * DAY_MS)
}

/** When the records go of which a notice is given now. */
export function deleteAt(
  rule: RetentionRule,
  { endedAt, now }: { endedAt: Date; now: Date },
): Date {
  return new Date(Math.max(dueAt(rule, endedAt).getTime(), now.getTime() + noticeMs(rule)))
}
