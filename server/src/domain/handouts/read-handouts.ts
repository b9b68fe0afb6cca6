import type { Query } from '../../platform/db/db.ts'
import { ServiceError } from '../../platform/lib/service-error.ts'
import type { SessionKey } from '../booking/session.ts'
import type { Handout } from './handout.ts'
import { findHandout, findHandoutSession, type HandoutKey, type HandoutSession } from './store.ts'

/** The session whose handouts are read or registered. Throws 404 NOT_FOUND. */
export async function readHandoutSession(query: Query, key: SessionKey): Promise<HandoutSession> {
  const session = await findHandoutSession(query, key)
  if (session === undefined) throw new ServiceError('NOT_FOUND')
  return session
}

/** Throws 404 NOT_FOUND. */
export async function readHandout(query: Query, key: HandoutKey): Promise<Handout> {
  const handout = await findHandout(query, key)
  if (handout === undefined) throw new ServiceError('NOT_FOUND')
  return handout
}
