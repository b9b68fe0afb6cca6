import { beforeAll, expect, test } from 'vitest'
import { useControlPlane } from '../../testing/control-plane.ts'
import { useLiveRooms } from '../../testing/live-room.ts'
import { useRoundTripCounter } from '../../testing/round-trip-counter.ts'
import { takeSnapshot } from '../live-stream/snapshot.ts'
import { checkStillAdmitted } from '../people/admit.ts'
import { createTickets, type TicketHolder } from '../people/ticket.ts'
import { closeRoom } from './close-room.ts'

const plane = useControlPlane()
const live = useLiveRooms(plane)
const counted = useRoundTripCounter(plane)
let holder: TicketHolder

beforeAll(async () => {
  const { id: roomId } = await plane.book({ startsInMin: 1 })
  const { ticket } = await live.enter(roomId, 'moderator')
  holder = await createTickets(plane.deps).verify(`Bearer ${ticket}`, roomId)
})

const sizesOf = (trips: readonly string[][]) => trips.map((statements) => statements.length)

test('a stream opens after three round trips: the ticket, the snapshot, and its end with the ticket', async () => {
  const { db } = counted
  const trips = await counted.of(async () => {
    await checkStillAdmitted({ ...plane.deps, db }, holder)
    await takeSnapshot({ ...plane.deps, db }, holder)
  })
  const [first = [], second = [], third = []] = trips
  expect(sizesOf(trips)).toEqual([2, 10, 3])
  expect(second[0]).toBe('begin isolation level repeatable read read only')
  expect(third[0]).toBe('commit')
  expect(third.slice(1)).toEqual(first)
})

test('a close takes three round trips, of which two wait while the room is locked', async () => {
  const { tenantId } = plane.tenant
  const { id: roomId } = await plane.book({ startsInMin: 1 })
  const close = { tenantId, roomId, reason: null }
  const trips = await counted.of(() => closeRoom({ ...plane.deps, db: counted.db }, close))
  const [first = [], , third = []] = trips
  // Nobody has entered before the slot, so the third one also cancels the session.
  expect(sizesOf(trips)).toEqual([3, 5, 5])
  expect(first[1]).toContain('pg_advisory_xact_lock')
  expect(first[2]).toMatch(/for no key update$/)
  expect(third.at(-1)).toBe('commit')
})
