import { beforeAll, expect, test } from 'vitest'
import { useControlPlane } from '../../testing/control-plane.ts'
import { said } from '../../testing/live-chat.ts'
import { useLiveRooms } from '../../testing/live-room.ts'
import { useRoundTripCounter } from '../../testing/round-trip-counter.ts'
import { createRateRefusals } from '../people/rate-refusals.ts'
import { createTickets, type TicketHolder } from '../people/ticket.ts'
import { sendMessage } from './send-message.ts'

const plane = useControlPlane()
const live = useLiveRooms(plane)
const counted = useRoundTripCounter(plane)
let holder: TicketHolder

beforeAll(async () => {
  const { id: roomId } = await plane.book({ startsInMin: 1 })
  const { ticket } = await live.enter(roomId, 'moderator')
  holder = await createTickets(plane.deps).verify(`Bearer ${ticket}`, roomId)
  await send()
})

async function send(): Promise<void> {
  const { db } = counted
  const refusals = createRateRefusals(plane.deps.clock)
  const sent = await sendMessage({ ...plane.deps, db, refusals }, { holder, body: said() })
  expect(sent.isNew).toBe(true)
}

test('a message takes one round trip of four statements', async () => {
  const [first = [], ...others] = await counted.of(send)
  expect(others).toEqual([])
  expect(first).toHaveLength(4)
  expect(first[0]).toBe('begin')
  expect(first[3]).toBe('commit')
})

test('in the last half minute of the window it is sent too, and the time is checked after the locks', async () => {
  const opened = plane.now
  // The slot takes an hour, and the window ends 30 minutes after it.
  plane.now = new Date(opened.getTime() + (1 + 60 + 30) * 60_000 - 20_000)
  const trips = await counted.of(send)
  plane.now = opened
  expect(trips).toHaveLength(3)
})

test('its locks are taken in the common order, before anything is read', async () => {
  const [first = []] = await counted.of(send)
  expect(first[1]).toMatch(/case when pg_advisory_xact_lock_shared.* then pg_advisory_xact_lock\(/s)
  expect(first[2]).toContain('from chat_messages')
})
