import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import type { Answer, LiveApi } from './live-api.ts'
import { UNAVAILABLE } from './refusal.ts'
import { TicketKeeper } from './ticket-keeper.ts'

const NOW_MS = Date.UTC(2026, 5, 1, 6)
const MINUTE_MS = 60_000

beforeEach(() => {
  vi.useFakeTimers({ now: NOW_MS })
})
afterEach(() => {
  vi.useRealTimers()
})

/** A service whose clock is this far ahead of the machine's. */
function world({ aheadMs }: { aheadMs: number }) {
  const issue = () => ({
    ticket: 'ticket',
    ticket_expires_at: new Date(Date.now() + aheadMs + 15 * MINUTE_MS).toISOString(),
    media: { url: '', token: '' },
  })
  const service = { isUp: true, renewals: 0 }
  const renew = async (): Promise<Answer<ReturnType<typeof issue>>> => {
    service.renewals += 1
    return service.isUp ? { ok: true, data: issue() } : { ok: false, refusal: UNAVAILABLE }
  }
  const tickets = new TicketKeeper({ renew } as unknown as LiveApi, issue())
  return { service, tickets }
}

const HOUR_MS = 60 * MINUTE_MS
const DAY_MS = 24 * HOUR_MS

describe.each([
  ['right', 0],
  ['an hour behind', HOUR_MS],
  ['forty days behind', 40 * DAY_MS],
  ['an hour ahead', -HOUR_MS],
])('on a machine whose clock is %s', (_, aheadMs) => {
  test('the ticket is renewed after two thirds of its life', async () => {
    const { service } = world({ aheadMs })
    await vi.advanceTimersByTimeAsync(9 * MINUTE_MS)
    expect(service.renewals).toBe(0)
    await vi.advanceTimersByTimeAsync(51 * MINUTE_MS)
    expect(service.renewals).toBe(6)
  })

  test('the ticket expires at the end of its life', async () => {
    const { service, tickets } = world({ aheadMs })
    service.isUp = false
    await vi.advanceTimersByTimeAsync(14 * MINUTE_MS)
    expect(tickets.isOver).toBe(false)
    await vi.advanceTimersByTimeAsync(2 * MINUTE_MS)
    expect(tickets.isOver).toBe(true)
  })
})

test('a visit that ends during a renewal renews no more', async () => {
  const { service, tickets } = world({ aheadMs: 0 })
  service.isUp = false
  vi.advanceTimersByTime(10 * MINUTE_MS)
  tickets.stop()
  await vi.advanceTimersByTimeAsync(HOUR_MS)
  expect(service.renewals).toBe(1)
})
