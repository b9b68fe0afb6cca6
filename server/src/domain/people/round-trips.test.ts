import { randomUUID } from 'node:crypto'
import type { FastifyInstance } from 'fastify'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { createApp } from '../../app.ts'
import { createSwitchedMedia } from '../../platform/sandbox/switched-media.ts'
import { useControlPlane } from '../../testing/control-plane.ts'
import { useLiveRooms } from '../../testing/live-room.ts'
import { useRoundTripCounter } from '../../testing/round-trip-counter.ts'

const plane = useControlPlane()
const live = useLiveRooms(plane)
const counted = useRoundTripCounter(plane)
let app: FastifyInstance
let roomId = ''

beforeAll(async () => {
  const { db } = counted
  // The same set-up as in the service: each call also looks up whether the tenant is a sandbox.
  const media = createSwitchedMedia(db, { real: plane.media, simulated: plane.media })
  app = await createApp({ ...plane.deps, db, urgentDb: db, media })
  await bookElsewhere()
  // Fill the cache of keys.
  await enter(randomUUID())
})
afterAll(() => app?.close())

/** Books a room in another process, so that this one has nothing cached. */
async function bookElsewhere(): Promise<void> {
  roomId = (await plane.book({ startsInMin: 1 })).id
}

async function signed(externalId: string): Promise<string> {
  const participant = { external_type: 'User', external_id: externalId }
  return live.acting.signToken({ roomId, role: 'panelist', participant })
}

async function post(path: string, bearer: string, payload: object = {}) {
  const { statusCode, body } = await app.inject({
    method: 'POST',
    url: `/api/v1/rooms/${roomId}/live/${path}`,
    headers: { authorization: `Bearer ${bearer}` },
    payload,
  })
  return { status: statusCode, data: JSON.parse(body).data }
}

async function enter(externalId: string): Promise<string> {
  const { status, data } = await post('entry', await signed(externalId))
  expect(status).toBe(201)
  return data.ticket
}

const check = (token: string) =>
  counted.of(async () => expect((await post('admission-check', token)).status).toBe(200))

test.each([
  ['a first visit', 0],
  ['a return, which notifies the earlier page,', 1],
])('%s takes two round trips', async (_name, visitsBefore) => {
  await bookElsewhere()
  const externalId = randomUUID()
  for (let visit = 0; visit < visitsBefore; visit += 1) await enter(externalId)
  const trips = await counted.of(() => enter(externalId))
  expect(trips.map((statements) => statements.length)).toEqual([4, 5])
})

test('a renewed ticket takes two round trips: one for the admission, one for the rights', async () => {
  const ticket = await enter(randomUUID())
  const trips = await counted.of(async () => {
    expect((await post('ticket', ticket, { is_connected: true })).status).toBe(201)
  })
  expect(trips.map((statements) => statements.length)).toEqual([2, 1])
})

test('an admission check takes two round trips, and three for a person who has answered before', async () => {
  const [unknown, known] = [await signed(randomUUID()), randomUUID()]
  await enter(known)
  expect(await check(unknown)).toHaveLength(2)
  expect(await check(await signed(known))).toHaveLength(3)
})

test("the lock of the person comes before that of the room, and the room's before its row", async () => {
  const [first = []] = await counted.of(() => enter(randomUUID()))
  expect(first[0]).toBe('begin')
  expect(first[1]).toMatch(
    /case when pg_advisory_xact_lock\(.* then pg_advisory_xact_lock_shared\(/s,
  )
  expect(first[2]).toMatch(/for share of r$/)
})
