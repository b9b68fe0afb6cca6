import { inTransaction } from '../db/db.ts'
import { refuseField } from '../lib/service-error.ts'
import type { Deps } from '../ports/deps.ts'
import {
  type FeedEvent,
  type FeedPage,
  findFeedPosition,
  hasUnplacedEvents,
  listFeed,
  lockFeed,
  placeEvents,
} from './event-feed-store.ts'

/** Events that get their places in one transaction. */
const PLACED_AT_ONCE = 1000

/**
 * Gives every committed event of the tenant its place. Transactions commit in any order, so the events' own numbers do not say
 * which of them a reader has seen. Places are given by one reader after another, and later ones always follow earlier ones.
 */
async function placeCommittedEvents({ db }: Pick<Deps, 'db'>, tenantId: string): Promise<void> {
  if (!(await hasUnplacedEvents(db, tenantId))) return
  let placed: number
  do {
    placed = await inTransaction(db, async (tx) => {
      await lockFeed(tx, tenantId)
      return placeEvents(tx, tenantId, PLACED_AT_ONCE)
    })
  } while (placed === PLACED_AT_ONCE)
}

/**
 * The place after which a page of the feed begins: that of the event `after`, or 0. Throws 400 INVALID_REQUEST for an event that is
 * not in the feed.
 */
async function startOf(
  { db }: Pick<Deps, 'db'>,
  { tenantId, after }: { tenantId: string; after: string | undefined },
): Promise<bigint> {
  if (after === undefined) return 0n
  const position = await findFeedPosition(db, { tenantId, eventId: after })
  if (position !== undefined) return position
  throw refuseField('INVALID_REQUEST', {
    field: 'after',
    code: 'NOT_ALLOWED',
    message: 'must be the id of one of your events of the last 30 days',
  })
}

/** The committed events after the cursor, else after the event `after`; one more than `limit`. */
export async function readEventFeed(
  deps: Pick<Deps, 'db'>,
  page: Omit<FeedPage, 'after'> & { after: string | undefined; cursor: string | undefined },
): Promise<FeedEvent[]> {
  const { tenantId, type, limit, after, cursor } = page
  await placeCommittedEvents(deps, tenantId)
  const start = cursor === undefined ? await startOf(deps, { tenantId, after }) : BigInt(cursor)
  return listFeed(deps.db, { tenantId, type, limit, after: start })
}
