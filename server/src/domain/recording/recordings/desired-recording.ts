import { WINDOW_MARGIN_SEC, WINDOW_NOTICE_SEC } from '@interview-room/contract/limits.ts'
import type { ArchiveMode } from '@interview-room/contract/vocabulary.ts'
import type { RecordingState } from './recording-state.ts'
import { EMPTY_MAX_MS, type StopReason } from './recording.ts'
import type { LastRecording, RecordedRoom } from './running-store.ts'

/** The action for the present state. `look` requests another check at this time. */
export type DesiredAction =
  | { do: 'start' }
  | { do: 'stop'; reason: StopReason }
  | { do: 'look'; at: Date }
  | { do: 'nothing' }

const WINDOW_NOTICE_MS = WINDOW_NOTICE_SEC * 1000
const MARGIN_MS = WINDOW_MARGIN_SEC * 1000
/** Pause after a recording broke off, before the next one starts. */
const AFTER_BREAK_MS = 5_000
/** Pause after the second failure within an hour, doubled by each further one. */
const AFTER_FAILURE_MS = 30_000
const AFTER_FAILURE_MAX_MS = 600_000

const NOTHING: DesiredAction = { do: 'nothing' }

/**
 * Decides by the present state, not by notifications. So a lost, repeated or late notification changes nothing.
 * @param isPublished a moderator or panelist publishes a track.
 */
export function desiredActionOf(
  state: RecordingState,
  isPublished: boolean,
  now: Date,
): DesiredAction {
  if (state.running !== undefined) return desiredStop(state, state.running.since, now)
  return isPublished ? desiredStart(state, now) : NOTHING
}

function desiredStop(
  { room, consents }: RecordingState,
  runningSince: Date,
  now: Date,
): DesiredAction {
  const { isReleased, endsAt, presentCount, lastLeftAt } = room
  if (isReleased) return { do: 'stop', reason: 'room_closed' }
  if (consents.refused.length > 0) return { do: 'stop', reason: 'consent_refused' }
  if (endsAt !== null && now.getTime() >= endsAt.getTime() + MARGIN_MS + WINDOW_NOTICE_MS) {
    return { do: 'stop', reason: 'window_ended' }
  }
  if (presentCount > 0) return NOTHING
  const emptySince = Math.max(lastLeftAt?.getTime() ?? 0, runningSince.getTime())
  const at = new Date(emptySince + EMPTY_MAX_MS)
  return now >= at ? { do: 'stop', reason: 'everybody_left' } : { do: 'look', at }
}

function desiredStart({ room, last, consents }: RecordingState, now: Date): DesiredAction {
  const isAllowed = !room.isReleased && consents.missing.length === 0 && isInWindow(room, now)
  if (!isAllowed || !isWanted(room.archiveMode, last)) return NOTHING
  if (last === undefined) return { do: 'start' }
  if (room.archiveMode === 'always' && !last.hasFailed) return { do: 'start' }
  const at = new Date(last.endedAt.getTime() + pauseMsAfter(last))
  return now >= at ? { do: 'start' } : { do: 'look', at }
}

function pauseMsAfter({ hasFailed, failures }: LastRecording): number {
  if (!hasFailed || failures <= 1) return AFTER_BREAK_MS
  return Math.min(AFTER_FAILURE_MS * 2 ** (failures - 2), AFTER_FAILURE_MAX_MS)
}

/**
 * True if the room is to be recorded. In a manual room, only a recording that a moderator started and nobody stopped
 * continues, until everybody has left.
 */
export function isWanted(archiveMode: ArchiveMode, last: LastRecording | undefined): boolean {
  if (archiveMode === 'always') return last === undefined || !isSuppressed(last)
  if (archiveMode !== 'manual' || last === undefined) return false
  return last.stopReason === 'provider' && !last.everybodyLeftSince
}

/** After a moderator's stop no recording starts automatically until everybody has left. */
export function isSuppressed({ stopReason, everybodyLeftSince }: LastRecording): boolean {
  return stopReason === 'moderator' && !everybodyLeftSince
}

function isInWindow({ startsAt, endsAt }: RecordedRoom, now: Date): boolean {
  if (startsAt === null || endsAt === null) return true
  const nowMs = now.getTime()
  return nowMs >= startsAt.getTime() - MARGIN_MS && nowMs <= endsAt.getTime() + MARGIN_MS
}
