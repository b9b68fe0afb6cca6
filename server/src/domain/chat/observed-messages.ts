import type { Query } from '../../platform/db/db.ts'
import { findObservation, readConsentTerms } from '../people/find-consent.ts'
import type { Withheld } from './store.ts'
import { listWithheldIds } from './store.ts'

/** The part of the public chat that observers do not receive now. Returns undefined when they receive all of it. */
export async function findWithheld(query: Query, roomId: string): Promise<Withheld | undefined> {
  const terms = await readConsentTerms(query, roomId)
  const { isOpen, withheld } = await findObservation(query, roomId, terms)
  if (!isOpen) return 'everything'
  return withheld.length === 0 ? undefined : withheld
}

/** Returns those of these messages that observers do not receive now. */
export async function listWithheld(
  query: Query,
  messages: { roomId: string; ids: readonly string[] },
): Promise<string[]> {
  const withheld = await findWithheld(query, messages.roomId)
  return withheld === undefined ? [] : listWithheldIds(query, { ...messages, withheld })
}
