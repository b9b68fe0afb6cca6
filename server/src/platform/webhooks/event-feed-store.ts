import type { Query, Tx } from '../db/db.ts'

/** Locks the feed of a tenant. */
export async function lockFeed(tx: Tx, tenantId: string): Promise<void> {
  await tx`
    insert into event_feeds (tenant_id, last_position) values (${tenantId}, 0)
    on conflict (tenant_id) do update set last_position = event_feeds.last_position
  `
}

/**
 * Gives the next places in the feed to the oldest committed events without one. The feed must be locked: then no event gets a place
 * before one that a reader has already seen.
 */
export async function placeEvents(tx: Tx, tenantId: string, limit: number): Promise<number> {
  const [row] = await tx<{ count: number }[]>`
    with unplaced as (
      select id, row_number() over (order by seq) as nth
        from (select id, seq from webhook_events
               where tenant_id = ${tenantId} and feed_position is null
               order by seq
               limit ${limit}) oldest
    ), placed as (
      update webhook_events e
         set feed_position = feed.last_position + unplaced.nth
        from unplaced, event_feeds feed
       where e.id = unplaced.id and feed.tenant_id = ${tenantId}
      returning 1
    ), moved as (
      update event_feeds set last_position = last_position + (select count(*) from placed)
       where tenant_id = ${tenantId}
    )
    select count(*)::int as count from placed
  `
  return row?.count ?? 0
}

/** True if an event of the tenant has no place in the feed yet. */
export async function hasUnplacedEvents(query: Query, tenantId: string): Promise<boolean> {
  const rows = await query`
    select 1 from webhook_events where tenant_id = ${tenantId} and feed_position is null limit 1
  `
  return rows.length > 0
}

/** Undefined if the tenant no longer has the event, or never had it. */
export async function findFeedPosition(
  query: Query,
  { tenantId, eventId }: { tenantId: string; eventId: string },
): Promise<bigint | undefined> {
  const [row] = await query<{ position: bigint }[]>`
    select feed_position as "position" from webhook_events
     where tenant_id = ${tenantId} and id = ${eventId} and feed_position is not null
  `
  return row?.position
}

export interface FeedEvent {
  position: bigint
  /** The JSON that webhooks send. */
  body: string
}

export interface FeedPage {
  tenantId: string
  type: string | undefined
  /** The place of the event after which the page begins. */
  after: bigint
  limit: number
}

/** One more than the page holds, if there are more. */
export async function listFeed(
  query: Query,
  { tenantId, type, after, limit }: FeedPage,
): Promise<FeedEvent[]> {
  return query<FeedEvent[]>`
    select feed_position as "position", body
      from webhook_events
     where tenant_id = ${tenantId} and feed_position > ${String(after)}::bigint
       and (${type ?? null}::text is null or type = ${type ?? null})
     order by feed_position
     limit ${limit + 1}
  `
}
