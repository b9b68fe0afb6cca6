import { expect, test } from 'vitest'
import type { ConsoleApi } from './console-api.ts'
import { beginFeed, continueFeed } from './follow-events.ts'

const eventOf = (id: string) => ({ id, version: '1', type: 't', occurred_at: '', data: {} })

/** A service with these events and deliveries. It records the requests. */
function serviceWith(events: string[], deliveries: string[] = []) {
  const asked: object[] = []
  const api = (async (_method: string, path: string, { query = {} }: { query?: object } = {}) => {
    asked.push(query)
    if (path === '/webhook-deliveries') {
      return { items: deliveries.map((event_id) => ({ event_id })), next_cursor: null }
    }
    const { after, limit } = query as { after?: string; limit: number }
    const rest = after === undefined ? events : events.slice(events.indexOf(after) + 1)
    return { items: rest.slice(0, limit).map(eventOf), has_more: rest.length > limit }
  }) as unknown as ConsoleApi
  return { api, asked, events }
}

test('shows the newest event first, and then the events after it', async () => {
  const service = serviceWith(['a', 'b'])
  let feed = await continueFeed(service.api, await beginFeed(service.api))
  expect(feed.events.map(({ id }) => id)).toEqual(['b', 'a'])
  expect(feed.hasMore).toBe(false)
  expect(await continueFeed(service.api, feed)).toBe(feed)
  service.events.push('c')
  feed = await continueFeed(service.api, feed)
  expect(feed.events.map(({ id }) => id)).toEqual(['c', 'b', 'a'])
})

test('begins after the oldest of the last deliveries, and not a month ago', async () => {
  const events = Array.from({ length: 500 }, (_, n) => `e${n}`)
  const service = serviceWith(events, events.slice(-50).toReversed())
  const feed = await continueFeed(service.api, await beginFeed(service.api))
  expect(service.asked[1]).toEqual({ limit: 100, after: 'e450' })
  expect(feed.events).toHaveLength(49)
})

test('reads a feed without deliveries page by page, and keeps the newest 200', async () => {
  const service = serviceWith(Array.from({ length: 320 }, (_, n) => `e${n}`))
  let feed = await beginFeed(service.api)
  while (feed.hasMore) feed = await continueFeed(service.api, feed)
  expect(feed.events).toHaveLength(200)
  expect(feed.events[0]?.id).toBe('e319')
})

test('an empty feed stays empty', async () => {
  const { api } = serviceWith([])
  const feed = await continueFeed(api, await beginFeed(api))
  expect(feed).toEqual({ events: [], after: null, hasMore: false })
})
