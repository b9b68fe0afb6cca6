import type { Query } from '../../platform/db/db.ts'
import { findObservation, readConsentTerms } from '../people/find-consent.ts'
import type { Withheld } from './store.ts'
import { listWithheldIds } from './store.ts'

/** What of the public chat observers do not receive now; undefined where that is nothing. */
export async function findWithheld(query: Query, roomId: string): Promise<Withheld | undefined> {
  const terms = await readConsentTerms(query, roomId)
  const { isOpen, withheld } = await findObservation(query, roomId, terms)
  if (!isOpen) return 'everything'
  return withheld.length === 0 ? undefined : withheld
}

/** Which of these messages observers do not receive now. */
export async function listWithheld(
  query: Query,
  messages: { roomId: string; ids: readonly string[] },
): Promise<string[]> {
  const withheld = await findWithheld(query, messages.roomId)
  return withheld === undefined ? [] : listWithheldIds(query, { ...messages, withheld })
}
