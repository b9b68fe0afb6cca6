import { randomUUID } from 'node:crypto'
import type { FastifyInstance, LightMyRequestResponse } from 'fastify'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { createApp } from './app.ts'
import { type Db, openDb } from './platform/db/db.ts'
import { useControlPlane } from './testing/control-plane.ts'
import { type FaultProxy, startFaultProxy } from './testing/fault-proxy.ts'
import { useLiveRooms } from './testing/live-room.ts'
import { signNotification } from './testing/provider-notification.ts'
import { booking } from './testing/tenant-client.ts'
import { waitFor } from './testing/wait-for.ts'

const AT_ONCE = 29

const plane = useControlPlane()
const live = useLiveRooms(plane)
let proxy: FaultProxy
let db: Db
let app: FastifyInstance

beforeAll(async () => {
  proxy = await startFaultProxy(plane.database.url)
  // As in production, with its own timeouts, and watched.
  db = openDb({ url: proxy.url, poolSize: 16, applicationName: 'away' })
  db.watch()
  const urgentDb = db.beside({ name: 'urgent', poolSize: 3 })
  app = await createApp({ ...plane.deps, db, urgentDb })
})

afterAll(async () => {
  await app?.close()
  await db?.end()
  await proxy?.close()
})

type Ask = () => Promise<LightMyRequestResponse>

/** One of each kind: of a backend, of a person before and after admission, of the media provider. */
async function requests(): Promise<Record<string, Ask>> {
  const { id } = await plane.book({ startsInMin: 1 })
  const guest = await live.enter(id, 'panelist')
  const token = await live.acting.signToken({ roomId: id })
  const authorization = plane.tenant.authorization
  const event = JSON.stringify({ id: `EV_${randomUUID()}`, event: 'room_started', createdAt: '1' })
  const signature = await signNotification(plane.deps, event)
  return {
    'GET /rooms/{room_id}': () =>
      app.inject({ url: `/api/v1/rooms/${id}`, headers: { authorization } }),
    'POST /rooms': () =>
      app.inject({
        method: 'POST',
        url: '/api/v1/rooms',
        headers: { authorization, 'idempotency-key': randomUUID() },
        payload: booking({ now: plane.now }),
      }),
    'POST live/entry': () =>
      app.inject({
        method: 'POST',
        url: `/api/v1/rooms/${id}/live/entry`,
        headers: { authorization: `Bearer ${token}` },
      }),
    'POST live/events': () =>
      app.inject({
        method: 'POST',
        url: `/api/v1/rooms/${id}/live/events`,
        headers: { authorization: `Bearer ${guest.ticket}` },
        payload: { event_type: 'hand.raised' },
      }),
    'POST /provider-events': () =>
      app.inject({
        method: 'POST',
        url: '/api/v1/provider-events',
        headers: { authorization: signature, 'content-type': 'application/webhook+json' },
        payload: event,
      }),
    // Runs last, because nobody can enter afterwards.
    'POST /rooms/{room_id}/close': () =>
      app.inject({
        method: 'POST',
        url: `/api/v1/rooms/${id}/close`,
        headers: { authorization },
        payload: { reason: 'over' },
      }),
  }
}

describe.each([
  ['refuses connections', () => proxy.refuse()],
  ['answers nothing', async () => proxy.hang()],
] as const)('a database that %s', (_how, breakIt) => {
  test('is 503 with Retry-After for every operation, and works when it is back', async () => {
    const asks = await requests()
    await waitFor(async () => (await asks['GET /rooms/{room_id}']?.())?.statusCode === 200)
    await breakIt()
    for (const [name, ask] of Object.entries(asks)) {
      const answers = await Promise.all(Array.from({ length: AT_ONCE }, ask))
      for (const answer of answers) {
        expect([name, answer.statusCode]).toEqual([name, 503])
        expect(answer.json()).toMatchObject({ error: { code: 'SERVICE_UNAVAILABLE' } })
        expect(answer.headers['retry-after']).toBe('2')
      }
    }
    await proxy.mend()
    for (const [name, ask] of Object.entries(asks)) {
      await waitFor(async () => [200, 201].includes((await ask()).statusCode)).catch(() => {
        throw new Error(`${name} does not work again`)
      })
    }
  })
})
