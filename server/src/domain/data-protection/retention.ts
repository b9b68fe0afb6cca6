import { RETENTION_NOTICE_DAYS } from '@interview-room/contract/limits.ts'
import type { RetentionKind } from '@interview-room/contract/retention.ts'

const DAY_MS = 24 * 60 * 60 * 1000

/** Days from the end of a room until its records of each kind are deleted; null without a rule. */
export type RetentionDays = Record<RetentionKind, number | null>

export interface RetentionRule {
  kind: RetentionKind
  days: number
}

/** Time between the notice and the deletion. Never longer than the rule itself. */
function noticeMs({ days }: RetentionRule): number {
  return Math.min(days, RETENTION_NOTICE_DAYS) * DAY_MS
}

/** The time when the rule deletes the records of a room that ended at `endedAt`. */
export function dueAt({ days }: RetentionRule, endedAt: Date): Date {
  return new Date(endedAt.getTime() + days * DAY_MS)
}

/** Rooms that ended by this time are due for their notice. */
export function noticedUntil(rule: RetentionRule, now: Date): Date {
  return new Date(now.getTime() + noticeMs(rule) - rule.days * DAY_MS)
}

/** The time of deletion that a notice given now names. */
export function deleteAt(
  rule: RetentionRule,
  { endedAt, now }: { endedAt: Date; now: Date },
): Date {
  return new Date(Math.max(dueAt(rule, endedAt).getTime(), now.getTime() + noticeMs(rule)))
}
