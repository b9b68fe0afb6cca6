import { randomUUID } from 'node:crypto'
import { PassThrough } from 'node:stream'
import { text as readText } from 'node:stream/consumers'
import { pino } from 'pino'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { createApp } from '../../app.ts'
import { loadConfig } from '../../platform/config/config.ts'
import type { Job } from '../../platform/jobs/job.ts'
import type { Deps } from '../../platform/ports/deps.ts'
import { ensureServiceKey } from '../../platform/service-keys/ensure-service-key.ts'
import { type ActingTenant, createActingTenant } from '../../testing/acting-tenant.ts'
import { createTestDatabase, type TestDatabase } from '../../testing/database.ts'
import { createTestDeps, TEST_ENVIRONMENT } from '../../testing/deps.ts'
import { createFakeMedia, type FakeMedia } from '../../testing/fake-media.ts'
import { postNotification, signNotification } from '../../testing/provider-notification.ts'
import { reconcilePass } from '../../testing/reconcile-pass.ts'
import { closeRoom } from '../room-end/close-room.ts'
import { applyNotificationsJob } from './apply-notifications.job.ts'

let database: TestDatabase
let media: FakeMedia
let deps: Deps
let app: Awaited<ReturnType<typeof createApp>>
let tenant: ActingTenant

beforeAll(async () => {
  database = await createTestDatabase()
  media = createFakeMedia()
  deps = createTestDeps({ db: database.db, media })
  await ensureServiceKey(deps)
  app = await createApp(deps)
  tenant = await createActingTenant(deps)
})

afterAll(async () => {
  await app.close()
  await database.drop()
})

const sign = (body: string, apiSecret = deps.config.livekit.apiSecret) =>
  signNotification(deps, body, { apiKey: deps.config.livekit.apiKey, apiSecret })
const post = (body: string, authorization?: string) => postNotification(app, body, authorization)

async function notify(event: object): Promise<number> {
  const body = JSON.stringify({ id: `EV_${randomUUID()}`, createdAt: '1', ...event })
  return post(body, await sign(body))
}

async function run(job: Job, key: string): Promise<void> {
  const { signal } = new AbortController()
  await job.run({ key, payload: {}, attempt: 1, signal, log: deps.log })
}

const apply = (roomId: string) => run(applyNotificationsJob(deps), roomId)
const reconcile = () => run(reconcilePass(deps), 'all')

/** Makes a room with one admitted person. Returns the room and the person's media identity. */
async function admit(): Promise<{ roomId: string; identity: string; ticket: string }> {
  const { roomId } = await tenant.addRoom()
  const answer = await app.inject({
    method: 'POST',
    url: `/api/v1/rooms/${roomId}/live/entry`,
    headers: { authorization: `Bearer ${await tenant.signToken({ roomId })}` },
  })
  const { data } = answer.json()
  return { roomId, identity: data.participant.id, ticket: data.ticket }
}

function connectionOf({
  identity,
  sid,
  joinedAt,
}: {
  identity: string
  sid: string
  joinedAt: Date
}) {
  return { identity, sid, state: 'ACTIVE', joinedAtMs: String(joinedAt.getTime()) }
}

const entriesOf = (roomId: string) => database.db`
  select * from entry_histories where room_id = ${roomId} order by seq
`
const webhooksOf = (roomId: string) => database.db`
  select body from webhook_events where body::jsonb -> 'data' ->> 'room_id' = ${roomId}
`

test('a notification of a mask of arrivals is accepted, and not stored', async () => {
  const room = { sid: 'RM_1', name: randomUUID() }
  const participant = { sid: 'PA_mask', identity: 'mask-1', kind: 'AGENT' }
  for (const event of ['participant_joined', 'participant_left']) {
    expect(await notify({ event, room, participant })).toBe(200)
  }
  const stored = await database.db`
    select 1 from provider_notifications where media_room = ${room.name}
  `
  expect(stored).toEqual([])
})

describe('a notification', () => {
  const body = JSON.stringify({ id: 'EV_1', event: 'room_started', room: { name: randomUUID() } })

  // contract: Notifications of the media provider › 401 unless exactly its bytes were signed with
  //   our secret
  test('is refused with 401 unless exactly its bytes were signed with our secret', async () => {
    expect(await post(body)).toBe(401)
    expect(await post(body, 'nonsense')).toBe(401)
    expect(await post(body, await sign(body, 'another secret of somebody else'))).toBe(401)
    expect(await post(`${body} `, await sign(body))).toBe(401)
    expect(await database.db`select 1 from provider_notifications`).toHaveLength(0)
  })

  // contract: Notifications of the media provider › 200, stored once under its `id`, with or
  //   without "Bearer"
  // contract: Limits › Redelivered notifications of the provider are absorbed by their id
  test('is stored once under its id, with or without "Bearer"', async () => {
    expect(await post(body, await sign(body))).toBe(200)
    expect(await post(body, `Bearer ${await sign(body)}`)).toBe(200)
    expect(await database.db`select 1 from provider_notifications where id = 'EV_1'`).toHaveLength(
      1,
    )
  })

  test("is checked against the time of the database, regardless of the machine's clock", async () => {
    const later = { ...deps, clock: () => new Date(Date.now() + 20 * 60_000) }
    const laterApp = await createApp(later)
    const text = JSON.stringify({ id: 'EV_later', event: 'other' })
    expect(await postNotification(laterApp, text, await signNotification(later, text))).toBe(200)
    expect(await postNotification(laterApp, text, await signNotification(deps, text))).toBe(401)
    await laterApp.close()
  })

  test('is accepted with the signature of any accepted key during a rotation', async () => {
    const env = {
      ...TEST_ENVIRONMENT,
      LIVEKIT_ACCEPTED_KEYS: 'oldkey:the-secret-from-before, older: another-secret',
    }
    const rotating = createTestDeps({ db: database.db, config: loadConfig(env) })
    const rotatingApp = await createApp(rotating)
    const text = JSON.stringify({ id: 'EV_rotation', event: 'other' })
    const signedBy = (apiKey: string, secret: string) =>
      signNotification(rotating, text, { apiKey, apiSecret: secret })
    const status = async (apiKey: string, secret: string) =>
      postNotification(rotatingApp, text, await signedBy(apiKey, secret))
    const { apiKey, apiSecret } = rotating.config.livekit
    expect(await status(apiKey, apiSecret)).toBe(200)
    expect(await status('oldkey', 'the-secret-from-before')).toBe(200)
    expect(await status('older', 'another-secret')).toBe(200)
    // Signed with the wrong key's secret, or with an unknown key.
    expect(await status('oldkey', 'another-secret')).toBe(401)
    expect(await status(apiKey, 'the-secret-from-before')).toBe(401)
    expect(await status('unknown', 'the-secret-from-before')).toBe(401)
    await rotatingApp.close()
    // Without the setting, as before and after a rotation.
    expect(await post(text, await signedBy('oldkey', 'the-secret-from-before'))).toBe(401)
    for (const pair of ['oldkey', 'oldkey:short', ':the-secret-from-before']) {
      expect(() => loadConfig({ ...env, LIVEKIT_ACCEPTED_KEYS: pair })).toThrow(
        'LIVEKIT_ACCEPTED_KEYS must be key:secret',
      )
    }
  })

  // contract: Notifications of the media provider › An invalid notification is 400, never 5xx
  test.each([
    '',
    '[]',
    'null',
    '{"id":1}',
    '{"id":"x"}',
    'not json',
    '\u0000',
    '{"id":"a\\u0000","event":"b"}',
  ])('that is invalid (%j) is 400 and never 500', async (text) => {
    expect(await post(text, await sign(text))).toBe(400)
  })

  // contract: Notifications of the media provider › Unknown kinds (ingress, tracks) are kept and do
  //   nothing
  test('of an unknown kind is kept and does nothing', async () => {
    expect(await notify({ event: 'ingress_started' })).toBe(200)
    expect(await notify({ event: 'track_published', room: { name: 'not ours' } })).toBe(200)
    await apply('not ours')
    expect(media.calls.some((call) => call.includes('not ours'))).toBe(false)
  })
})

/** Admits a person who joins after an earlier notification. Returns the connections that have entries. */
async function admitBehind() {
  const { roomId, identity } = await admit()
  const room = { name: roomId }
  const participant = connectionOf(media.connect(roomId, identity))
  const join = async () => {
    await notify({ event: 'participant_joined', room, participant })
    await apply(roomId)
    return (await entriesOf(roomId)).map((entry) => entry['media_sid'])
  }
  return { roomId, room, identity, sid: participant.sid, join }
}

describe('a notification that cannot be applied', () => {
  // contract: Notifications of the media provider › One with impossible values holds up none behind it
  test.each([
    { joinedAtMs: '9000000000000000' },
    { joinedAt: '8640000000001' },
    { joinedAtMs: '-9000000000000000' },
  ])('because of its time %j does not delay later ones', async (time) => {
    const { room, identity, sid, join } = await admitBehind()
    const participant = { identity, sid: `PA_${randomUUID()}`, state: 'ACTIVE', ...time }
    await notify({ event: 'participant_joined', room, participant })
    await notify({ event: 'participant_left', room, participant })
    expect(await join()).toEqual([sid])
  })

  test('because of a character in the id of its egress does not delay later ones', async () => {
    const { roomId, sid, join } = await admitBehind()
    const egressInfo = { egressId: 'EG_\0', roomName: roomId, status: 'EGRESS_ACTIVE' }
    await notify({ event: 'egress_updated', egressInfo })
    expect(await join()).toEqual([sid])
  })

  test('because the database refuses a value is logged and does not delay later ones', async () => {
    const { roomId, room, identity, sid, join } = await admitBehind()
    await database.db`
      alter table entry_histories add constraint no_such_sid check (media_sid <> 'PA_refused')
    `
    const participant = { identity, sid: 'PA_refused', joinedAtMs: String(Date.now()) }
    await notify({ event: 'participant_joined', room, participant })
    const logged = new PassThrough()
    await run(applyNotificationsJob({ ...deps, log: pino(logged) }), roomId)
    expect(await readText(logged.end())).toMatch(/notification skipped/)
    expect(await join()).toEqual([sid])
  })

  test('because the provider is down is applied when it is back', async () => {
    const { roomId } = await admit()
    const participant = connectionOf(media.connect(roomId, 'stranger'))
    await notify({ event: 'participant_joined', room: { name: roomId }, participant })
    media.isDown = true
    await expect(apply(roomId)).rejects.toThrow('down')
    media.isDown = false
    await apply(roomId)
    expect(media.connections.get(roomId)).toEqual([])
  })
})

describe('attendance', () => {
  // contract: Fields of an EntryHistory › One row for each media connection, no matter who reports it
  //   and however often
  // contract: Notifications of the media provider › participant_joined opens the entry, W1
  // contract: Notifications of the media provider › 64-bit numbers come as text
  test('opens one entry with one webhook, whichever report comes first and however often', async () => {
    const { roomId, identity, ticket } = await admit()
    const connection = media.connect(roomId, identity)
    const joined = {
      event: 'participant_joined',
      room: { name: roomId },
      participant: connectionOf(connection),
    }
    await Promise.all([notify(joined), notify(joined)])
    await Promise.all([
      apply(roomId),
      reconcile(),
      app.inject({
        method: 'POST',
        url: `/api/v1/rooms/${roomId}/live/connected`,
        headers: { authorization: `Bearer ${ticket}` },
        payload: { media_sid: connection.sid },
      }),
    ])
    expect(await entriesOf(roomId)).toHaveLength(1)
    const webhooks = await webhooksOf(roomId)
    expect(webhooks).toHaveLength(1)
    expect(JSON.parse(webhooks[0]?.['body']).data.participant).toMatchObject({
      id: identity,
      role: 'panelist',
      external_type: 'User',
      external_id: '1',
    })
  })

  // contract: Fields of an EntryHistory › `left_at` is set by the exit of exactly that connection
  // contract: Notifications of the media provider › participant_left closes it
  test('closes the entry of exactly the connection that left', async () => {
    const { roomId, identity } = await admit()
    const first = media.connect(roomId, identity)
    await notify({
      event: 'participant_joined',
      room: { name: roomId },
      participant: connectionOf(first),
    })
    const second = media.connect(roomId, identity)
    await notify({
      event: 'participant_joined',
      room: { name: roomId },
      participant: connectionOf(second),
    })
    await notify({
      event: 'participant_left',
      room: { name: roomId },
      participant: connectionOf(first),
    })
    await apply(roomId)
    const entries = await entriesOf(roomId)
    expect(entries.map((entry) => [entry['media_sid'], entry['left_at'] !== null])).toEqual([
      [first.sid, true],
      [second.sid, false],
    ])
  })

  test('makes a complete entry from a leave whose join was lost', async () => {
    const { roomId, identity } = await admit()
    const connection = media.connect(roomId, identity)
    media.disconnect(roomId, identity)
    await notify({
      event: 'participant_left',
      room: { name: roomId },
      participant: connectionOf(connection),
    })
    await apply(roomId)
    const [entry] = await entriesOf(roomId)
    expect(entry?.['left_at']).not.toBeNull()
    expect(new Date(entry?.['left_at']).getTime()).toBeGreaterThanOrEqual(
      new Date(entry?.['entered_at']).getTime(),
    )
    expect(await webhooksOf(roomId)).toHaveLength(1)
  })

  // contract: Notifications of the media provider › participant_connection_aborted makes none
  test('makes no entry for a connection that was aborted before it was established', async () => {
    const { roomId, identity } = await admit()
    const connection = media.connect(roomId, identity)
    media.disconnect(roomId, identity)
    const participant = { ...connectionOf(connection), state: 'DISCONNECTED' }
    await notify({ event: 'participant_connection_aborted', room: { name: roomId }, participant })
    await apply(roomId)
    expect(await entriesOf(roomId)).toHaveLength(0)
    expect(await webhooksOf(roomId)).toHaveLength(0)
  })

  test('treats a hidden agent without the agent permission as a person', async () => {
    const { roomId, identity } = await admit()
    const connection = connectionOf(media.connect(roomId, identity))
    const participant = { ...connection, kind: 'AGENT', permission: { hidden: true } }
    await notify({ event: 'participant_joined', room: { name: roomId }, participant })
    await apply(roomId)
    expect(await entriesOf(roomId)).toHaveLength(1)
  })

  // contract: Notifications of the media provider › Recorders and agents are no people
  test.each([
    ['recorders', { kind: 'EGRESS' }],
    ['agents', { kind: 'AGENT', permission: { hidden: true, agent: true } }],
  ])('does not count %s as people', async (_, marks) => {
    const { roomId, identity } = await admit()
    const robot = { ...connectionOf(media.connect(roomId, identity)), ...marks }
    await notify({ event: 'participant_joined', room: { name: roomId }, participant: robot })
    await apply(roomId)
    expect(await entriesOf(roomId)).toHaveLength(0)
    media.disconnect(roomId, identity)
  })

  test('removes a participant without an admission', async () => {
    const { roomId } = await admit()
    const stranger = media.connect(roomId, 'stranger')
    await notify({
      event: 'participant_joined',
      room: { name: roomId },
      participant: connectionOf(stranger),
    })
    await apply(roomId)
    expect(media.connections.get(roomId)).toEqual([])
    expect(await entriesOf(roomId)).toHaveLength(0)
  })

  test('does not start for participants who are still joining, and removes those without an admission', async () => {
    const { roomId, identity } = await admit()
    const admitted = media.connect(roomId, identity)
    const stranger = media.connect(roomId, 'stranger')
    admitted.isActive = false
    stranger.isActive = false
    await reconcile()
    expect(media.connections.get(roomId)).toEqual([admitted])
    expect(await entriesOf(roomId)).toHaveLength(0)

    await database.db`update participants set banned_at = now() where id = ${identity}`
    const again = media.connect(roomId, identity, new Date(Date.now() + 60_000))
    again.isActive = false
    await reconcile()
    expect(media.connections.get(roomId)).toEqual([])
    expect(await entriesOf(roomId)).toHaveLength(0)
  })

  // contract: Notifications of the media provider › Notifications that are lost are made good by
  //   the provider's list
  test('is completed by the reconciler when every notification is lost', async () => {
    const { roomId, identity } = await admit()
    media.connect(roomId, identity)
    await reconcile()
    expect(await webhooksOf(roomId)).toHaveLength(1)

    media.disconnect(roomId, identity)
    await reconcile()
    expect((await entriesOf(roomId))[0]?.['left_at']).toBeNull()
    await reconcile()
    expect((await entriesOf(roomId))[0]?.['left_at']).not.toBeNull()
    expect(await entriesOf(roomId)).toHaveLength(1)
  })

  // contract: closeRoom › Entries end with the media room
  // contract: Notifications of the media provider › room_finished ends what is open
  test('ends with the media room', async () => {
    const { roomId, identity } = await admit()
    media.connect(roomId, identity)
    await reconcile()
    await media.deleteRoom(roomId)
    await notify({ event: 'room_finished', room: { name: roomId } })
    await apply(roomId)
    expect((await entriesOf(roomId))[0]?.['left_at']).not.toBeNull()
  })

  test('survives a provider that is down', async () => {
    const { roomId, identity } = await admit()
    media.connect(roomId, identity)
    media.isDown = true
    await expect(reconcile()).rejects.toThrow('down')
    media.isDown = false
    await reconcile()
    expect(await entriesOf(roomId)).toHaveLength(1)
  })
})

describe('a closed room', () => {
  // contract: States of a Room › A closed room that a media token brings back to life is deleted
  //   again
  test('that a token recreated is deleted again', async () => {
    const { roomId, identity } = await admit()
    await closeRoom(deps, { tenantId: tenant.tenantId, roomId, reason: null })
    await media.ensureRoom({ name: roomId, emptyTimeoutSec: 60, metadata: {} })
    const back = media.connect(roomId, identity, new Date(Date.now() + 1000))
    await notify({
      event: 'participant_joined',
      room: { name: roomId },
      participant: connectionOf(back),
    })
    await apply(roomId)
    expect(media.rooms.has(roomId)).toBe(false)
    expect(await entriesOf(roomId)).toHaveLength(0)
  })

  test('keeps the entry of a person who was inside before the close, however late it is reported', async () => {
    const { roomId, identity } = await admit()
    const connection = media.connect(roomId, identity, new Date(Date.now() - 1000))
    await closeRoom(deps, { tenantId: tenant.tenantId, roomId, reason: null })
    await notify({
      event: 'participant_joined',
      room: { name: roomId },
      participant: connectionOf(connection),
    })
    await notify({ event: 'room_finished', room: { name: roomId } })
    await apply(roomId)
    const [entry] = await entriesOf(roomId)
    expect(entry?.['left_at']).not.toBeNull()
  })
})

describe('the end of the window', () => {
  // contract: Fields of a RoomEvent › session.window_ended, once, after a minute of notice
  test('removes people after a minute of notice and logs that once', async () => {
    const { roomId, identity } = await admit()
    media.connect(roomId, identity)
    const windowOverFor = async (agoSec: number) => {
      await database.db`
        update sessions
           set starts_at = now() - interval '3 hours',
               ends_at = now() - interval '30 minutes' - ${agoSec} * interval '1 second'
         where room_id = ${roomId}
      `
      await reconcile()
    }
    for (const agoSec of [-1, 1, 50]) {
      await windowOverFor(agoSec)
      expect(media.connections.get(roomId)).toHaveLength(1)
    }
    await windowOverFor(61)
    await reconcile()
    expect(media.connections.get(roomId)).toEqual([])
    const events = await database.db`select event_type from room_events where room_id = ${roomId}`
    expect(events.map((event) => event['event_type'])).toEqual(['session.window_ended'])
  })

  // contract: Fields of a RoomEvent › open pages are notified of it, nobody with media among them or
  //   not
  test('is published once to open pages without media, without writing a room event', async () => {
    const { roomId } = await admit()
    await database.db`
      update sessions set starts_at = now() - interval '3 hours', ends_at = now() - interval '32 minutes'
       where room_id = ${roomId}
    `
    await reconcile()
    await reconcile()
    const published = await database.db`
      select payload from live_events where room_id = ${roomId} and name = 'closed'
    `
    expect(published.map(({ payload }) => payload)).toEqual([{ reason: 'window_ended' }])
    const events = await database.db`select event_type from room_events where room_id = ${roomId}`
    expect(events).toEqual([])
  })
})
