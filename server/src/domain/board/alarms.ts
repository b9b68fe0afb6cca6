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
    /** The recording ended although nobody stopped it, and the people in the room may think that it still runs. */
    isBrokenOff: boolean
  } | null
  /** Tracks that are switched on and do not arrive in the running recording. */
  lacks: readonly { identity: string; since: Date }[]
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
/** The next recording starts automatically within a few seconds. */
const BROKEN_OFF_AFTER_MS = 15_000
const POOR_CONNECTION_AFTER_MS = 30_000

/** The condition of each alarm and the time since when it holds, most urgent first. */
const RULES: readonly [AlarmCode, (room: RoomState, nowMs: number) => readonly AlarmFinding[]][] = [
  [
    'HELP_REQUESTED',
    ({ helpRequests }) =>
      helpRequests.map(({ displayName, requestedAt }) => ({ displayName, since: requestedAt })),
  ],
  ['RECORDING_NOT_ACTIVE', notRecorded],
  ['MEDIA_NOT_RECORDED', partlyRecorded],
  [
    'POOR_LINE',
    ({ people }, nowMs) =>
      people.flatMap(({ displayName, poorSince: since }) =>
        since !== null && nowMs - since.getTime() > POOR_CONNECTION_AFTER_MS
          ? [{ displayName, since }]
          : [],
      ),
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
  [
    'MODERATOR_MISSING',
    (room, nowMs) =>
      missing(room, nowMs, { role: 'moderator', leftAt: room.moderatorLeftAt, afterStartMs: 0 }),
  ],
]

/** Every alarm of a room at `now`. */
export function alarmsOf(room: RoomState, now: Date): Alarm[] {
  return RULES.flatMap(([code, find]) =>
    find(room, now.getTime()).map((finding) => ({ code, ...finding })),
  )
}

interface ExpectedPerson {
  role: Role
  leftAt: Date | null
  /** Nobody counts as missing until this long after the start. */
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
 * A recorder died, or nothing is recorded although somebody who can be recorded is in the room and the room is always
 * recorded or its recording broke off. A dead recorder is reported immediately, a recording that broke off after 15 s,
 * everything else after a minute.
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

/** One for each person who is present, whatever is missing of them. */
function partlyRecorded({ people, lacks }: RoomState): AlarmFinding[] {
  return people.flatMap(({ identity, displayName }): AlarmFinding[] => {
    const theirs = lacks.filter((lack) => lack.identity === identity)
    if (theirs.length === 0) return []
    return [
      { displayName, since: new Date(Math.min(...theirs.map(({ since }) => since.getTime()))) },
    ]
  })
}

function latest(times: readonly (Date | null)[]): Date {
  return new Date(Math.max(...times.map((time) => time?.getTime() ?? 0)))
}
