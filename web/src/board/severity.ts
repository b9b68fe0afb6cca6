import type { AlarmCode, BoardAlarm, BoardRoom } from '@interview-room/contract/board.ts'

/** The kinds of alarms, the most severe first. */
export const SEVERITIES = ['help', 'recording', 'connection', 'missing'] as const
export type Severity = (typeof SEVERITIES)[number]

const SEVERITY_OF: Record<AlarmCode, Severity> = {
  HELP_REQUESTED: 'help',
  RECORDING_NOT_ACTIVE: 'recording',
  MEDIA_NOT_RECORDED: 'recording',
  POOR_LINE: 'connection',
  RESPONDENT_MISSING: 'missing',
  MODERATOR_MISSING: 'missing',
}

export const severityOf = ({ code }: BoardAlarm): Severity => SEVERITY_OF[code]

/** The severity of the worst alarm, or null if there is none. The service sends the most urgent alarm first. */
export function severityOfRoom({ alarms: [first] }: BoardRoom): Severity | null {
  return first === undefined ? null : severityOf(first)
}

/**
 * Rooms with the most severe alarm first. Among equally severe ones, the longest waiting is first. Rooms without an alarm are sorted
 * by start.
 */
export function inOrder(rooms: readonly BoardRoom[]): BoardRoom[] {
  return rooms.toSorted(
    (one, other) =>
      rankOf(one) - rankOf(other) ||
      firstAlarmMs(one) - firstAlarmMs(other) ||
      Date.parse(one.session.starts_at) - Date.parse(other.session.starts_at) ||
      one.id.localeCompare(other.id),
  )
}

function rankOf(room: BoardRoom): number {
  const severity = severityOfRoom(room)
  return severity === null ? SEVERITIES.length : SEVERITIES.indexOf(severity)
}

/** The start of the oldest among the most severe alarms. */
function firstAlarmMs(room: BoardRoom): number {
  const severity = severityOfRoom(room)
  const worst = room.alarms.filter((alarm) => severityOf(alarm) === severity)
  return worst.length === 0 ? 0 : Math.min(...worst.map(({ since }) => Date.parse(since)))
}
