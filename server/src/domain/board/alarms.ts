import type { AlarmCode, ConnectionQuality } from '@interview-room/contract/board.ts'
import type { ArchiveMode, RecordingStatus, Role } from '@interview-room/contract/vocabulary.ts'

/** Somebody with an open entry. */
export interface PersonOnBoard {
  identity: string
  participantId: string | null
  role: Role
  displayName: string
  inSince: Date
  line: ConnectionQuality | null
  /** Since when the connection has been poor or lost without a break; null while it is not. */
  poorSince: Date | null
}

interface HelpRequest {
  displayName: string
  note: string | null
  requestedAt: Date
}

/** The input of the rules. */
export interface RoomState {
  startsAt: Date
  endsAt: Date
  archiveMode: ArchiveMode
  people: readonly PersonOnBoard[]
  /** When the last panelist or moderator left; null when none ever did. */
  panelistLeftAt: Date | null
  moderatorLeftAt: Date | null
  /** The newest one; `endedAt` is null while it runs. */
  recording: {
    status: RecordingStatus
    endedAt: Date | null
    /** Its recorder died, and another one has not begun yet. */
    interruptedAt: Date | null
    /** It ended though nobody wanted that, and those who are there may expect that it still runs. */
    isBrokenOff: boolean
  } | null
  /** Calls for help that nobody has answered. */
  helpRequests: readonly HelpRequest[]
}

export interface Alarm {
  code: AlarmCode
  since: Date
  displayName: string | null
}

type AlarmFinding = Omit<Alarm, 'code'>

const MINUTE_MS = 60_000
const RESPONDENT_MISSING_AFTER_MS = 5 * MINUTE_MS
/** A person who reloads the page is not missing. */
const AWAY_AFTER_MS = 30_000
const NOT_RECORDED_AFTER_MS = MINUTE_MS
/** The next one begins automatically, in a few seconds. */
const BROKEN_OFF_AFTER_MS = 15_000
const POOR_CONNECTION_AFTER_MS = 30_000

/** When each alarm is given and since when it has been so; the most urgent first. */
const RULES: readonly [AlarmCode, (room: RoomState, nowMs: number) => readonly AlarmFinding[]][] = [
  [
    'HELP_REQUESTED',
    ({ helpRequests }) =>
      helpRequests.map(({ displayName, requestedAt }) => ({ displayName, since: requestedAt })),
  ],
  [
    'RESPONDENT_MISSING',
    (room, nowMs) =>
      missing(room, nowMs, {
        role: 'panelist',
        leftAt: room.panelistLeftAt,
        afterStartMs: RESPONDENT_MISSING_AFTER_MS,
      }),
  ],
  ['RECORDING_NOT_ACTIVE', notRecorded],
  [
    'MODERATOR_MISSING',
    (room, nowMs) =>
      missing(room, nowMs, { role: 'moderator', leftAt: room.moderatorLeftAt, afterStartMs: 0 }),
  ],
  [
    'POOR_LINE',
    ({ people }, nowMs) =>
      people.flatMap(({ displayName, poorSince: since }) =>
        since !== null && nowMs - since.getTime() > POOR_CONNECTION_AFTER_MS
          ? [{ displayName, since }]
          : [],
      ),
  ],
]

/** Everything in a room that calls for an operator at `now`. */
export function alarmsOf(room: RoomState, now: Date): Alarm[] {
  return RULES.flatMap(([code, find]) =>
    find(room, now.getTime()).map((finding) => ({ code, ...finding })),
  )
}

interface ExpectedPerson {
  role: Role
  leftAt: Date | null
  /** How long after the start nobody is missed yet. */
  afterStartMs: number
}

function missing(
  { startsAt, endsAt, people }: RoomState,
  nowMs: number,
  { role, leftAt, afterStartMs }: ExpectedPerson,
): AlarmFinding[] {
  const isDue = nowMs >= startsAt.getTime() + afterStartMs && nowMs < endsAt.getTime()
  const isIn = people.some((person) => person.role === role)
  const isBackSoon = leftAt !== null && nowMs - leftAt.getTime() < AWAY_AFTER_MS
  if (!isDue || isIn || isBackSoon) return []
  return [{ since: latest([startsAt, leftAt]), displayName: null }]
}

/**
 * A recorder died; or a room that is always recorded, or whose recording broke off, with somebody inside who
 * can be recorded, and nothing runs: immediately after a failure, otherwise after 15 s or a minute.
 */
function notRecorded(
  { startsAt, endsAt, archiveMode, people, recording }: RoomState,
  nowMs: number,
): AlarmFinding[] {
  const interruptedAt = recording?.interruptedAt ?? null
  if (interruptedAt !== null) return [{ since: interruptedAt, displayName: null }]
  const speakers = people.filter(({ role }) => role === 'moderator' || role === 'panelist')
  const isRunning = recording !== null && recording.endedAt === null
  const isDue = nowMs >= startsAt.getTime() && nowMs < endsAt.getTime()
  const isBrokenOff = recording?.isBrokenOff === true
  const isWanted = archiveMode === 'always' || (archiveMode === 'manual' && isBrokenOff)
  if (!isWanted || speakers.length === 0 || isRunning || !isDue) return []

  const firstInMs = Math.min(...speakers.map(({ inSince }) => inSince.getTime()))
  const since = latest([startsAt, new Date(firstInMs), recording?.endedAt ?? null])
  const endedGraceMs = isBrokenOff ? BROKEN_OFF_AFTER_MS : NOT_RECORDED_AFTER_MS
  const graceMs = recording?.status === 'failed' ? 0 : endedGraceMs
  if (nowMs - since.getTime() <= graceMs) return []
  return [{ since, displayName: null }]
}

function latest(times: readonly (Date | null)[]): Date {
  return new Date(Math.max(...times.map((time) => time?.getTime() ?? 0)))
}
