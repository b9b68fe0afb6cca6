import type { ConsentTerms } from '@interview-room/contract/consent-rules.ts'
import type { ErrorCode } from '@interview-room/contract/errors.ts'
import type {
  ArchiveMode,
  ParticipantStatus,
  Role,
  RoomKind,
  StreamFrameRate,
  StreamResolution,
} from '@interview-room/contract/vocabulary.ts'
import { noticeEndOf, windowOf } from '../booking/session.ts'

export interface Participant {
  id: string
  roomId: string
  seq: bigint
  role: Role
  displayName: string
  externalType: string | null
  externalId: string | null
  createdAt: Date
  bannedAt: Date | null
  /**
   * The newest admission. Holders of an older one were replaced by a later entry. Null while being made, and after a
   * removal.
   */
  admissionId: string | null
}

export function participantStatusOf({
  bannedAt,
}: Pick<Participant, 'bannedAt'>): ParticipantStatus {
  return bannedAt === null ? 'active' : 'banned'
}

/** A room as admission sees it. */
export interface AdmissionRoom {
  id: string
  tenantId: string
  kind: RoomKind
  streamResolution: StreamResolution
  streamFrameRate: StreamFrameRate
  closedAt: Date | null
  archiveMode: ArchiveMode
  /** An entry is open, so its media room exists unless the provider has lost it since. */
  isInUse: boolean
  /** The room's settings for consent. */
  consentTerms: ConsentTerms
  session: {
    id: string
    name: string | null
    accessToken: string
    startsAt: Date
    endsAt: Date
    cancelledAt: Date | null
  } | null
}

/** The input of the admission check, read with the room's lock. */
export interface AdmissionAttempt {
  room: { closedAt: Date | null }
  /** Null for rooms without a slot, which admit at any time. */
  session: { startsAt: Date; endsAt: Date; cancelledAt: Date | null } | null
  /** Null before the first visit. On the simple route it tells if the visitor was removed. */
  participant: Pick<Participant, 'bannedAt'> | null
  /**
   * True for a person who was admitted before. They may stay until the end of the notice, while entering ends with the
   * window.
   */
  isInside: boolean
}

interface Refusal {
  code: ErrorCode
  when(attempt: AdmissionAttempt, now: Date): boolean
}

/** The first refusal that applies is the answer. */
const REFUSALS: readonly Refusal[] = [
  {
    code: 'SESSION_RELEASED',
    when: ({ room, session }) => room.closedAt !== null || (session?.cancelledAt ?? null) !== null,
  },
  {
    code: 'PARTICIPANT_BANNED',
    when: ({ participant }) =>
      participant !== null && participantStatusOf(participant) === 'banned',
  },
  {
    code: 'OUTSIDE_TIME_WINDOW',
    when({ session, isInside }, now) {
      if (session === null) return false
      const { opensAt, closesAt } = windowOf(session)
      return now < opensAt || (isInside ? now >= noticeEndOf(session) : now > closesAt)
    },
  },
]

export function refusalAt(attempt: AdmissionAttempt, now: Date): ErrorCode | undefined {
  return REFUSALS.find((refusal) => refusal.when(attempt, now))?.code
}
