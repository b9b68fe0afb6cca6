import { randomUUID } from 'node:crypto'
import type { FastifyInstance } from 'fastify'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { createApp } from '../../app.ts'
import { createSwitchedMedia } from '../../platform/sandbox/switched-media.ts'
import { useControlPlane } from '../../testing/control-plane.ts'
import { useRoundTripCounter } from '../../testing/round-trip-counter.ts'
import { booking, createTenantClient, type TenantClient } from '../../testing/tenant-client.ts'

const plane = useControlPlane()
const counted = useRoundTripCounter(plane)
let app: FastifyInstance
let tenant: TenantClient

beforeAll(async () => {
  const { db } = counted
  // The same set-up as in the service: each call also looks up whether the tenant is a sandbox.
  const media = createSwitchedMedia(db, { real: plane.media, simulated: plane.media })
  app = await createApp({ ...plane.deps, db, urgentDb: db, media })
  tenant = await createTenantClient(app, plane.database.db)
  // Fill the cache of the key and its tenant.
  await book()
})
afterAll(() => app?.close())

async function book(headers: Record<string, string> = {}): Promise<void> {
  const { status } = await tenant.post('/rooms', booking({ now: plane.now }), headers)
  expect(status).toBe(201)
}

test('a room takes two round trips: before and after the call of the provider', async () => {
  const trips = await counted.of(() => book())
  expect(trips.map(([first = '']) => first.split(/\s/)[0])).toEqual(['with', 'begin'])
  expect(trips.map((statements) => statements.length)).toEqual([1, 3])
})

test('under an Idempotency-Key it takes five, because the transaction stores the answer', async () => {
  const trips = await counted.of(() => book({ 'idempotency-key': randomUUID() }))
  expect(trips).toHaveLength(5)
})
