import type { EventBody } from '@interview-room/contract/management.ts'
import type { ConsoleApi } from './console-api.ts'

/** Events shown at most. */
const SHOWN_MAX = 200
/** Deliveries read to find the beginning. About this many events are shown immediately. */
const RECENT = 50
const PAGE_SIZE = 100

/** The newest event comes first. */
export interface EventFeed {
  events: readonly EventBody[]
  /** The id of the last event that was read; null in an empty feed. */
  after: string | null
  /** More events can be read immediately. */
  hasMore: boolean
}

/**
 * The feed begins with events of 30 days ago, but the page is about current events. So it starts after the oldest
 * event of the last deliveries. For a tenant without deliveries it shows the whole feed.
 */
export async function beginFeed(api: ConsoleApi): Promise<EventFeed> {
  const { items } = await api<'listWebhookDeliveries'>('GET', '/webhook-deliveries', {
    query: { limit: RECENT },
  })
  const oldest = items.length < RECENT ? undefined : items.at(-1)
  return { events: [], after: oldest?.event_id ?? null, hasMore: true }
}

/** Adds the events since the last one. Returns the same feed if there are none. */
export async function continueFeed(api: ConsoleApi, feed: EventFeed): Promise<EventFeed> {
  const { items, has_more: hasMore } = await api<'listEvents'>('GET', '/events', {
    query: { limit: PAGE_SIZE, ...(feed.after !== null && { after: feed.after }) },
  })
  const newest = items.at(-1)
  if (newest === undefined) return feed.hasMore ? { ...feed, hasMore: false } : feed
  const events = [...items.toReversed(), ...feed.events].slice(0, SHOWN_MAX)
  return { events, after: newest.id, hasMore }
}
