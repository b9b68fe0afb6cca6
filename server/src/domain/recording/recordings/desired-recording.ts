import { WINDOW_MARGIN_SEC, WINDOW_NOTICE_SEC } from '@interview-room/contract/limits.ts'
import type { ArchiveMode } from '@interview-room/contract/vocabulary.ts'

/**
 * The reason why a recording ended. `consent_refused`: somebody inside declined or withdrew consent. `provider`: its egress
 * ended without a request.
 */
export type StopReason =
  | 'moderator'
  | 'consent_refused'
  | 'everybody_left'
  | 'room_closed'
  | 'window_ended'
  | 'provider'

/** The facts that decide whether a room is to be recorded now. */
export interface RoomState {
  archiveMode: ArchiveMode
  isReleased: boolean
  /** Start of the slot; null for rooms without one. */
  startsAt: Date | null
  endsAt: Date | null
  /** Since when a recording has been running or about to start; null without one. */
  runningSince: Date | null
  /** A moderator or panelist publishes a track. */
  isPublished: boolean
  /** Number of moderators and panelists inside. */
  presentCount: number
  lastLeftAt: Date | null
  /** Somebody inside has not agreed to be recorded. */
  lacksConsent: boolean
  /** Somebody inside has declined or withdrawn consent. */
  isRefused: boolean
  /** The newest recording that ended. */
  last:
    | {
        hasFailed: boolean
        stopReason: StopReason | null
        endedAt: Date
        everybodyLeftSince: boolean
        failures: number
      }
    | undefined
}

/** The action for the present state. `look` requests another check at this time. */
export type DesiredAction =
  | { do: 'start' }
  | { do: 'stop'; reason: StopReason }
  | { do: 'look'; at: Date }
  | { do: 'nothing' }

/** How long an empty room waits for a person to reconnect, before the recording stops or a broken one counts as over. */
export const EMPTY_MAX_MS = 60_000
const WINDOW_NOTICE_MS = WINDOW_NOTICE_SEC * 1000
const MARGIN_MS = WINDOW_MARGIN_SEC * 1000
/** Pause after a recording broke off, before the next one starts. */
const AFTER_BREAK_MS = 5_000
/** Pause after the second failure within an hour, doubled by each further one. */
const AFTER_FAILURE_MS = 30_000
const AFTER_FAILURE_MAX_MS = 600_000

const NOTHING: DesiredAction = { do: 'nothing' }

/** Decides by the present state, not by notifications. So a lost, repeated or late notification changes nothing. */
export function desiredActionOf(facts: RoomState, now: Date): DesiredAction {
  return facts.runningSince === null ? desiredStart(facts, now) : desiredStop(facts, now)
}

function desiredStop(facts: RoomState, now: Date): DesiredAction {
  const { isReleased, isRefused, endsAt, presentCount, lastLeftAt, runningSince } = facts
  if (isReleased) return { do: 'stop', reason: 'room_closed' }
  if (isRefused) return { do: 'stop', reason: 'consent_refused' }
  if (endsAt !== null && now.getTime() >= endsAt.getTime() + MARGIN_MS + WINDOW_NOTICE_MS) {
    return { do: 'stop', reason: 'window_ended' }
  }
  if (presentCount > 0) return NOTHING
  const emptySince = Math.max(lastLeftAt?.getTime() ?? 0, runningSince?.getTime() ?? 0)
  const at = new Date(emptySince + EMPTY_MAX_MS)
  return now >= at ? { do: 'stop', reason: 'everybody_left' } : { do: 'look', at }
}

function desiredStart(facts: RoomState, now: Date): DesiredAction {
  const { archiveMode, isReleased, isPublished, lacksConsent, last } = facts
  if (!isWanted(archiveMode, last) || isReleased || !isPublished || lacksConsent) return NOTHING
  if (!isInWindow(facts, now)) return NOTHING
  if (last === undefined) return { do: 'start' }
  const isAlways = archiveMode === 'always'
  if (isAlways && !last.hasFailed) return { do: 'start' }
  const at = new Date(last.endedAt.getTime() + pauseMsAfter(last))
  return now >= at ? { do: 'start' } : { do: 'look', at }
}

function pauseMsAfter({ hasFailed, failures }: NonNullable<RoomState['last']>): number {
  if (!hasFailed || failures <= 1) return AFTER_BREAK_MS
  return Math.min(AFTER_FAILURE_MS * 2 ** (failures - 2), AFTER_FAILURE_MAX_MS)
}

/**
 * True if the room is to be recorded. In a manual room, only a recording that a moderator started and nobody stopped
 * continues, until everybody has left.
 */
export function isWanted(archiveMode: ArchiveMode, last: RoomState['last']): boolean {
  if (archiveMode === 'always') return last === undefined || !isSuppressed(last)
  if (archiveMode !== 'manual' || last === undefined) return false
  return last.stopReason === 'provider' && !last.everybodyLeftSince
}

/** After a moderator's stop no recording starts automatically until everybody has left. */
export function isSuppressed({
  stopReason,
  everybodyLeftSince,
}: Pick<NonNullable<RoomState['last']>, 'stopReason' | 'everybodyLeftSince'>): boolean {
  return stopReason === 'moderator' && !everybodyLeftSince
}

function isInWindow({ startsAt, endsAt }: RoomState, now: Date): boolean {
  if (startsAt === null || endsAt === null) return true
  const nowMs = now.getTime()
  return nowMs >= startsAt.getTime() - MARGIN_MS && nowMs <= endsAt.getTime() + MARGIN_MS
}
