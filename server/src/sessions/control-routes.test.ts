import type { FastifyInstance } from 'fastify'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { createApp } from '../app.ts'
import { createTestDatabase, type TestDatabase } from '../testing/database.ts'
import { createTestDeps } from '../testing/deps.ts'
import { booking, createTenantClient, type TenantClient } from '../testing/tenant-client.ts'

const START = new Date('2026-06-01T10:00:00.000Z')

let database: TestDatabase
let app: FastifyInstance
let tenant: TenantClient
let now = START

beforeAll(async () => {
  database = await createTestDatabase()
  app = await createApp(createTestDeps({ db: database.db, clock: () => now }))
  tenant = await createTenantClient(app, database.db)
})

afterAll(async () => {
  await app?.close()
  await database?.drop()
})

describe('GET /sessions/{session_id}', () => {
  test('answers the session with its room', async () => {
    const body = booking({ now })
    const room = await tenant.post('/rooms', body)
    const { id } = room.data.session
    const answer = await tenant.get(`/sessions/${id}`)
    expect(answer.status).toBe(200)
    expect(answer.data).toEqual({
      id,
      external_type: 'Slot',
      external_id: body.session.external_id,
      name: null,
      access_token: expect.stringMatching(/^[A-Za-z0-9_-]{43}$/),
      starts_at: body.session.starts_at,
      ends_at: body.session.ends_at,
      status: 'active',
      room: { id: room.data.id, session_id: id, connect_url: room.data.connect_url },
      created_at: START.toISOString(),
    })
  })

  test('derives the status from the time, in the room as in the session', async () => {
    now = START
    const { data } = await tenant.post('/rooms', booking({ now, startsInMin: 60 }))
    const seen: string[] = []
    for (const minutes of [0, 29, 30, 150, 151]) {
      now = new Date(START.getTime() + minutes * 60_000)
      const session = await tenant.get(`/sessions/${data.session.id}`)
      const room = await tenant.get(`/rooms/${data.id}`)
      expect(room.data.session.status).toBe(session.data.status)
      seen.push(session.data.status)
    }
    expect(seen).toEqual(['scheduled', 'scheduled', 'active', 'active', 'closed'])
  })

  test.each(['abc', '%7B018f0000-0000-7000-8000-000000000000%7D', 'x'.repeat(300), '%zz', '%00'])(
    'answers 404 for %s, which is no id',
    async (id) => {
      expect(await tenant.get(`/sessions/${id}`)).toMatchObject({ status: 404, code: 'NOT_FOUND' })
    },
  )
})
