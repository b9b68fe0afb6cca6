import type { AdmissionCheckBody } from '@interview-room/contract/admission-check.ts'
import type { ErrorCode } from '@interview-room/contract/errors.ts'
import type {
  OPENED_ELSEWHERE_CHALLENGE,
  REMOVED_CHALLENGE,
} from '@interview-room/contract/live-entry.ts'

/** The reason why the room does not come up: the service is silent, or the network blocks WebSocket or media. */
export type Trouble = 'service' | 'sockets' | 'media'

/** The reason why a person is not in the room. Each one has its own page in plain words. */
export type Refusal =
  | { page: 'bad-link'; code: 'UNAUTHORIZED' | 'NOT_FOUND' | 'UNKNOWN_ROLE' | 'INVALID_REQUEST' }
  | { page: 'closed' | 'cancelled'; code: 'SESSION_RELEASED' }
  | { page: 'banned'; code: 'PARTICIPANT_BANNED' }
  | TooEarly
  | { page: 'over'; code: 'OUTSIDE_TIME_WINDOW' }
  /** `trouble` is the diagnosis of a connection that did not come up. */
  | { page: 'unavailable'; code: 'SERVICE_UNAVAILABLE'; trouble?: Trouble }
  | { page: 'removed'; code: 'PARTICIPANT_REMOVED' }
  | { page: 'elsewhere'; code: 'DUPLICATE_IDENTITY' }
  | { page: 'lost'; code: 'CONNECTION_LOST' }
  | { page: 'declined'; code: 'CONSENT_DECLINED' }
  | { page: 'withdrawn'; code: 'CONSENT_WITHDRAWN' }

export interface TooEarly {
  page: 'too-early'
  code: 'OUTSIDE_TIME_WINDOW'
  opensAt: Date
  closesAt: Date
  /** The moment of opening on this machine's clock, which may be wrong, in epoch milliseconds. */
  opensAtLocalMs: number
  /** The facts about the room. Absent if the entry request itself was refused. */
  preview?: AdmissionCheckBody
}

export const CLOSED = { page: 'closed', code: 'SESSION_RELEASED' } as const satisfies Refusal
const CANCELLED: Refusal = { page: 'cancelled', code: 'SESSION_RELEASED' }
export const OVER = { page: 'over', code: 'OUTSIDE_TIME_WINDOW' } as const satisfies Refusal
export const UNAVAILABLE = {
  page: 'unavailable',
  code: 'SERVICE_UNAVAILABLE',
} as const satisfies Refusal
export const LOST: Refusal = { page: 'lost', code: 'CONNECTION_LOST' }
export const REMOVED: Refusal = { page: 'removed', code: 'PARTICIPANT_REMOVED' }
export const ELSEWHERE: Refusal = { page: 'elsewhere', code: 'DUPLICATE_IDENTITY' }
export const DECLINED: Refusal = { page: 'declined', code: 'CONSENT_DECLINED' }
export const WITHDRAWN: Refusal = { page: 'withdrawn', code: 'CONSENT_WITHDRAWN' }
export const BAD_LINK = { page: 'bad-link', code: 'UNAUTHORIZED' } as const satisfies Refusal

/** The contract's own constants. Importing them as values would load the schema library, too. */
const ELSEWHERE_CHALLENGE: typeof OPENED_ELSEWHERE_CHALLENGE =
  'Bearer error="invalid_token", error_description="opened elsewhere"'
const BY_MODERATOR: typeof REMOVED_CHALLENGE =
  'Bearer error="invalid_token", error_description="removed from the room"'

/**
 * Chooses the words to show. When the window ends, a person who was inside reads that the room has closed, and not
 * that they are too late.
 */
export function wordsOf<Page extends string>(
  page: Page,
  { wasInside }: { wasInside: boolean },
): Page | 'closed' {
  return page === OVER.page && wasInside ? CLOSED.page : page
}

/** Facts of a refusal beside its code. */
export interface AnswerHeaders {
  opensAt: Date | null
  closesAt: Date | null
  /** The error in the `www-authenticate` header of a 401. */
  challenge: string | null
  isCancelled: boolean
  /** The server's clock at the time of its answer. */
  serverNow: Date
  localNowMs: number
}

export function refusalOf(code: ErrorCode | undefined, headers: AnswerHeaders): Refusal {
  if (headers.challenge === ELSEWHERE_CHALLENGE) return ELSEWHERE
  if (headers.challenge === BY_MODERATOR) return REMOVED
  // oxlint-disable-next-line typescript/switch-exhaustiveness-check -- the other codes belong to other endpoints
  switch (code) {
    case 'UNAUTHORIZED':
    case 'NOT_FOUND':
    case 'UNKNOWN_ROLE':
    case 'INVALID_REQUEST':
      return { page: 'bad-link', code }
    case 'SESSION_RELEASED':
      return headers.isCancelled ? CANCELLED : CLOSED
    case 'ROOM_CLOSED':
      return CLOSED
    case 'PARTICIPANT_BANNED':
      return { page: 'banned', code }
    case 'OUTSIDE_TIME_WINDOW':
      return outsideWindow(headers)
    // Any other code is a problem of the service, not of the person. The only advice is to try again.
    default:
      return UNAVAILABLE
  }
}

function outsideWindow({ opensAt, closesAt, serverNow, localNowMs }: AnswerHeaders): Refusal {
  if (opensAt === null || closesAt === null || opensAt <= serverNow) return OVER

  const waitMs = opensAt.getTime() - serverNow.getTime()
  return {
    page: 'too-early',
    code: 'OUTSIDE_TIME_WINDOW',
    opensAt,
    closesAt,
    opensAtLocalMs: localNowMs + waitMs,
  }
}
