import { CAPABILITIES } from '@interview-room/contract/capabilities.ts'
import type { Consent } from '@interview-room/contract/live-entry.ts'
import { ROLES, type Role } from '@interview-room/contract/vocabulary.ts'
import type { Query } from '../../platform/db/db.ts'
import { findLastAnswer, listLastAnswers } from './consent-store.ts'

const ASKED_ROLES: readonly Role[] = ROLES.filter((role) => CAPABILITIES[role].isAskedForConsent)

/** What this person answered last when asked for consent; null when not asked yet. */
export async function findConsent(
  query: Query,
  person: { roomId: string; mediaIdentity: string },
): Promise<Consent | null> {
  const answer = await findLastAnswer(query, person)
  if (answer === null) return null
  return answer === 'consent.given' ? 'given' : 'declined'
}

/** Those inside who are to be asked, by their media identities. */
export interface OpenConsents {
  /** Have not given it: have not answered yet, or have refused. */
  missing: string[]
  /** Have declined it or taken it back. */
  refused: string[]
}

/** `present`: more people than those whose entry is noted. */
export async function findOpenConsents(
  query: Query,
  roomId: string,
  present: readonly { mediaIdentity: string; role: Role }[] = [],
): Promise<OpenConsents> {
  const asked = present.filter(({ role }) => CAPABILITIES[role].isAskedForConsent)
  const identities = asked.map(({ mediaIdentity }) => mediaIdentity)
  const rows = await listLastAnswers(query, { roomId, roles: ASKED_ROLES, identities })
  const missing = rows.filter(({ answer }) => answer !== 'consent.given')
  return {
    missing: missing.map(({ identity }) => identity),
    refused: missing.filter(({ answer }) => answer !== null).map(({ identity }) => identity),
  }
}
