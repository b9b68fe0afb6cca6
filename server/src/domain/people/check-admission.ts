import { createHash, timingSafeEqual } from 'node:crypto'
import {
  RELEASED_HEADER,
  WINDOW_CLOSES_HEADER,
  WINDOW_OPENS_HEADER,
} from '@interview-room/contract/live-entry.ts'
import type { Clock } from '../../platform/lib/clock.ts'
import { refuseField, ServiceError } from '../../platform/lib/service-error.ts'
import { windowOf } from '../booking/session.ts'
import type { ParticipantClaims } from './participant-token.ts'
import {
  type AdmissionAttempt,
  type AdmissionRoom,
  type Participant,
  refusalAt,
} from './participant.ts'

export interface CheckedAdmission {
  room: AdmissionRoom
  /** Undefined before the first visit in this role. */
  known: Participant | undefined
  now: Date
}

/**
 * Throws the first refusal that applies to the holder of a participant token. `all`: the person in this room, once for
 * each role.
 */
export function checkAdmission(
  room: AdmissionRoom | undefined,
  claims: ParticipantClaims,
  all: readonly Participant[],
  clock: Clock,
): CheckedAdmission {
  if (room === undefined || room.tenantId !== claims.tenantId) throw new ServiceError('NOT_FOUND')
  // Nobody enters the room of a connection test with a participant token.
  if (room.kind === 'connection_test') throw new ServiceError('NOT_FOUND')
  const known = all.find(({ role }) => role === claims.role)
  // A ban applies to the person in every role.
  const participant = all.find(({ bannedAt }) => bannedAt !== null) ?? known ?? null
  // Read after the lock, so that a caller who had to wait is judged by the present time.
  const now = clock()
  refuseAdmission({ room, session: room.session, participant, isInside: false }, now)
  // An anonymous token stands for one person in one role.
  if (claims.identity.kind !== 'external' && all.length > 0 && known === undefined)
    throw otherRole()
  return { room, known, now }
}

/** Throws the first refusal that applies. 422 OUTSIDE_TIME_WINDOW contains the times of the window. */
export function refuseAdmission(attempt: AdmissionAttempt, now: Date): void {
  const code = refusalAt(attempt, now)
  if (code === undefined) return
  if (code === 'SESSION_RELEASED') {
    const isCancelled = (attempt.session?.cancelledAt ?? null) !== null
    throw new ServiceError(code, {
      headers: { [RELEASED_HEADER]: isCancelled ? 'cancelled' : 'closed' },
    })
  }
  if (code !== 'OUTSIDE_TIME_WINDOW' || attempt.session === null) throw new ServiceError(code)
  const { opensAt, closesAt } = windowOf(attempt.session)
  throw new ServiceError(code, {
    headers: {
      [WINDOW_OPENS_HEADER]: opensAt.toISOString(),
      [WINDOW_CLOSES_HEADER]: closesAt.toISOString(),
    },
  })
}

function otherRole(): ServiceError {
  return refuseField('VALIDATION_ERROR', {
    field: 'role',
    code: 'NOT_ALLOWED',
    message: 'must be the role in which this participant entered the room before',
  })
}

/** True if it is the access token of the room's session. */
export function isAccessTokenOf(
  room: AdmissionRoom | undefined,
  presented: string,
): room is AdmissionRoom {
  const expected = room?.session?.accessToken ?? ''
  // Compare digests, so that the timing reveals neither the length nor an unknown room.
  const [one, other] = [expected, presented].map((text) =>
    createHash('sha256').update(text).digest(),
  )
  return one !== undefined && other !== undefined && timingSafeEqual(one, other) && expected !== ''
}
