import { beforeAll, describe, expect, test } from 'vitest'
import { ensureServiceKey } from '../../platform/service-keys/ensure-service-key.ts'
import { type ActingTenant, createActingTenant } from '../../testing/acting-tenant.ts'
import { useControlPlane } from '../../testing/control-plane.ts'
import { postNotification, signNotification } from '../../testing/provider-notification.ts'
import { runJobs } from '../../testing/run-jobs.ts'
import { type Answer, toAnswer } from '../../testing/tenant-client.ts'
import { applyNotificationsJob } from '../notifications/apply-notifications.job.ts'

const plane = useControlPlane()
let acting: ActingTenant

beforeAll(async () => {
  // Tokens are signed with the machine's clock.
  plane.now = new Date()
  await ensureServiceKey(plane.deps)
  acting = await createActingTenant(plane.deps, plane.tenant.tenantId)
})

interface Call {
  bearer?: string
  body?: object
}

async function live(roomId: string, name: string, { bearer, body }: Call): Promise<Answer> {
  const headers = bearer === undefined ? {} : { authorization: `Bearer ${bearer}` }
  const url = `/api/v1/rooms/${roomId}/live/${name}`
  return toAnswer(await plane.app.inject({ method: 'POST', url, headers, payload: body ?? {} }))
}

/** Enters, connects and reports the connection. Returns the answer to the request to enter. */
async function enter(roomId: string, call: Call): Promise<{ id: string | null }> {
  const { data } = await live(roomId, 'entry', call)
  const [admission] = await plane.database.db`
    select media_identity as identity from admissions where room_id = ${roomId}
     order by admitted_at desc limit 1
  `
  const { sid } = plane.media.connect(roomId, admission?.['identity'], plane.now)
  const report = { bearer: data.ticket, body: { media_sid: sid } }
  expect((await live(roomId, 'connected', report)).status).toBe(204)
  return data.participant
}

async function webhooksOf(roomId: string): Promise<object[]> {
  const rows = await plane.database.db<{ body: string }[]>`
    select body from webhook_events
     where body::jsonb -> 'data' ->> 'room_id' = ${roomId} order by seq
  `
  return rows.map(({ body }) => JSON.parse(body))
}

async function entryOf(roomId: string) {
  const { data } = await plane.tenant.get(`/rooms/${roomId}/entry-histories`)
  expect(data.items).toHaveLength(1)
  return data.items[0]
}

describe('an entry', () => {
  // contract: Webhook envelope and signature › `id` (evt_), `version` 1, `type`, `occurred_at`,
  //   `data`
  // contract: Webhook types › W1 participant.entered: `room_id`, `session_id`,
  //   `session_external_ref`, `participant`, `entry_history_id`, `entered_at`
  test('sends W1 with every field of the contract', async () => {
    const { id: roomId, session } = await plane.book()
    const { id } = await enter(roomId, { bearer: await acting.signToken({ roomId }) })
    const entry = await entryOf(roomId)
    expect(entry).toMatchObject({ participant_id: id, name: 'Hanako', role: 'panelist' })
    expect(await webhooksOf(roomId)).toEqual([
      {
        id: expect.stringMatching(/^evt_/),
        version: '1',
        type: 'participant.entered',
        occurred_at: entry.entered_at,
        data: {
          room_id: roomId,
          session_id: session.id,
          session_external_ref: { external_type: 'Slot', external_id: session.external_id },
          participant: {
            id,
            role: 'panelist',
            display_name: 'Hanako',
            external_type: 'User',
            external_id: '1',
          },
          entry_history_id: entry.id,
          entered_at: entry.entered_at,
        },
      },
    ])
  })

  // contract: Fields of an EntryHistory › The simple route leaves `participant_id` null
  // contract: Webhook types › W1 of the simple route: the participant's id and references are null
  test('by the simple route has no participant, neither in the log nor in W1', async () => {
    const { id: roomId, session } = await plane.book()
    const { data } = await plane.tenant.get(`/sessions/${session.id}`)
    await enter(roomId, { body: { access_token: data.access_token, name: 'Guest' } })
    expect(await entryOf(roomId)).toMatchObject({ participant_id: null, name: 'Guest' })
    expect(await webhooksOf(roomId)).toMatchObject([
      {
        data: {
          participant: {
            id: null,
            role: 'panelist',
            display_name: 'Guest',
            external_type: null,
            external_id: null,
          },
        },
      },
    ])
  })

  // contract: Fields of an EntryHistory › An anonymous signed token has its Participant
  test('by an anonymous signed token has its participant, whose references are null', async () => {
    const { id: roomId } = await plane.book()
    const bearer = await acting.signToken({ roomId, participant: undefined })
    const { id } = await enter(roomId, { bearer })
    expect(id).not.toBeNull()
    expect(await entryOf(roomId)).toMatchObject({ participant_id: id })
    expect(await webhooksOf(roomId)).toMatchObject([
      { data: { participant: { id, external_type: null, external_id: null } } },
    ])
  })

  // contract: Webhook types › No webhook of an exit or of the end of a Session
  test('sends no webhook for the exit, the close or the end of the session', async () => {
    const { id: roomId, session } = await plane.book()
    await enter(roomId, { bearer: await acting.signToken({ roomId }) })
    await plane.tenant.post(`/rooms/${roomId}/close`)
    await plane.tenant.delete(`/sessions/${session.id}`)
    expect(await webhooksOf(roomId)).toMatchObject([{ type: 'participant.entered' }])
  })
})

/** Connects an admitted person now, with the provider's notification. */
async function connect(roomId: string, identity: string, aheadMs = 0): Promise<void> {
  const { sid } = plane.media.connect(roomId, identity, plane.now)
  const participant = { identity, sid, joinedAtMs: String(plane.now.getTime() + aheadMs) }
  const event = { id: `EV_${sid}`, event: 'participant_joined', room: { name: roomId } }
  const body = JSON.stringify({ ...event, participant })
  await postNotification(plane.app, body, await signNotification(plane.deps, body))
  await runJobs(plane.database.db, applyNotificationsJob(plane.deps))
}

// contract: patchSession › Who was let in before the move, and whose media was not up, does not enter the moved slot
test('somebody who connects after the slot was moved to tomorrow is removed, and has not entered', async () => {
  const { id: roomId, session } = await plane.book()
  const { data } = await live(roomId, 'entry', { bearer: await acting.signToken({ roomId }) })
  const identity = data.participant.id
  const move = (days: number) =>
    plane.tenant.patch(`/sessions/${session.id}`, {
      starts_at: new Date(Date.parse(session.starts_at) + days * 86_400_000).toISOString(),
      ends_at: new Date(Date.parse(session.ends_at) + days * 86_400_000).toISOString(),
    })
  expect((await move(1)).status).toBe(200)

  await connect(roomId, identity)
  expect(plane.media.connections.get(roomId)).toEqual([])
  expect(await webhooksOf(roomId)).toEqual([])
  expect((await plane.tenant.get(`/rooms/${roomId}/entry-histories`)).data.items).toEqual([])
  expect((await move(2)).status).toBe(200)
})

// contract: enterRoom › Who was let in and connects when the notice at the end of the window is over does not enter
test.each([
  [59, 1],
  [60, 0],
])('of people who connect %i seconds after the window %i enter', async (sec, count) => {
  const { id: roomId, session } = await plane.book()
  const { data } = await live(roomId, 'entry', { bearer: await acting.signToken({ roomId }) })
  const before = plane.now
  plane.now = new Date(Date.parse(session.ends_at) + (30 * 60 + sec) * 1000)
  await connect(roomId, data.participant.id)
  plane.now = before
  expect(await webhooksOf(roomId)).toHaveLength(count)
  expect(plane.media.connections.get(roomId)).toHaveLength(count)
})

test('a provider whose clock is ahead keeps nobody from entering', async () => {
  const { id: roomId } = await plane.book()
  const { data } = await live(roomId, 'entry', { bearer: await acting.signToken({ roomId }) })
  await connect(roomId, data.participant.id, 3 * 3_600_000)
  expect(await entryOf(roomId)).toMatchObject({ entered_at: plane.now.toISOString() })
})

describe('the participant of an entry', () => {
  // contract: Fields of a Participant › Made at the first verified token, `created_at` is that
  //   time; `display_name` is the name at entry
  test('is made at the first verified token, and keeps that time', async () => {
    const { id: roomId } = await plane.book()
    // The database sets the time.
    const before = Date.now() - 1000
    const claims = { roomId, role: 'observer' }
    await enter(roomId, { bearer: await acting.signToken(claims) })
    const after = Date.now() + 1000
    const read = async () => (await plane.tenant.get(`/rooms/${roomId}/participants`)).data.items
    const [made] = await read()
    expect(made).toMatchObject({ role: 'observer', display_name: 'Hanako', status: 'active' })
    expect(Date.parse(made.created_at)).toBeGreaterThanOrEqual(before)
    expect(Date.parse(made.created_at)).toBeLessThanOrEqual(after)

    plane.now = new Date(plane.now.getTime() + 1000)
    await enter(roomId, { bearer: await acting.signToken({ ...claims, name: 'Hanako B.' }) })
    expect(await read()).toEqual([{ ...made, display_name: 'Hanako B.' }])
    const { data } = await plane.tenant.get(`/rooms/${roomId}/entry-histories`)
    expect(data.items.map(({ name }: { name: string }) => name)).toEqual(['Hanako', 'Hanako B.'])
  })

  // contract: Fields of a Participant › A platform operator has no external reference, and its
  //   internal one is not published
  test('of the operator has a role and no external reference', async () => {
    const { id: roomId } = await plane.book()
    const operator = { role: 'platform_observer', participant: undefined, platform_user: 'op-1' }
    const { id } = await enter(roomId, { bearer: await acting.signToken({ roomId, ...operator }) })
    const { data } = await plane.tenant.get(`/rooms/${roomId}/participants`)
    expect(data.items).toMatchObject([
      { id, role: 'platform_observer', external_type: null, external_id: null },
    ])
    expect(JSON.stringify(data)).not.toContain('op-1')
  })
})
