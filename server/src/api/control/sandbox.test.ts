import { SANDBOX_ADVANCE_MAX_SEC } from '@interview-room/contract/limits.ts'
import { describe, expect, test } from 'vitest'
import { addHandout } from '../../testing/handouts.ts'
import { useSandbox } from '../../testing/sandbox.ts'
import { booking, type TenantClient } from '../../testing/tenant-client.ts'
import { waitFor } from '../../testing/wait-for.ts'

const plane = useSandbox()
const UNKNOWN = '0197f0a2-6c1e-7b3a-9d54-3f2a1b0c9d8e'
const RESPONDENT = { role: 'panelist', name: 'Hanako Sato' }

async function book(client: TenantClient, options: Parameters<typeof booking>[0] = {}) {
  const answer = await client.post(
    '/rooms',
    booking({ now: new Date(), startsInMin: 1, ...options }),
  )
  expect(answer.status, answer.text).toBe(201)
  return answer.data
}

const entriesOf = async (roomId: string) =>
  (await plane.sandbox.get(`/rooms/${roomId}/entry-histories`)).data.items

const statusOf = async (client: TenantClient, id: string) =>
  (await client.get(`/connection-tests/${id}`)).data.status

/** Every operation of the sandbox, as a caller of `client` with a room of theirs sends it. */
function calls(client: TenantClient, roomId: string) {
  return [
    () => client.get('/sandbox'),
    () => client.post(`/sandbox/rooms/${roomId}/people`, RESPONDENT),
    () => client.delete(`/sandbox/rooms/${roomId}/people/${UNKNOWN}`),
    () => client.post('/sandbox/triggers', { type: 'webhook.test' }),
    () => client.post('/sandbox/clock', { advance_seconds: 60 }),
  ]
}

describe('a real tenant', () => {
  // contract: Sandbox tenants › To a real tenant every operation of the sandbox is 404 NOT_FOUND
  // contract: getSandbox, triggerWebhook, advanceSandboxClock › 404 NOT_FOUND for a real tenant
  // contract: addSimulatedPerson, removeSimulatedPerson › 404 NOT_FOUND for a real tenant
  test('has no sandbox: every operation is 404, and nothing is simulated', async () => {
    const { id, session } = await book(plane.tenant)
    for (const call of calls(plane.tenant, id)) {
      expect(await call()).toMatchObject({ status: 404, code: 'NOT_FOUND' })
    }
    const after = await plane.tenant.get(`/sessions/${session.id}`)
    expect(after.data.starts_at).toBe(session.starts_at)
    expect((await plane.tenant.get(`/rooms/${id}/participants`)).data.items).toEqual([])
  })

  // contract: Sandbox tenants › A tenant is a sandbox from its creation, and for good; the database
  //   refuses simulated rows of a real tenant
  test('never becomes a sandbox, and the database refuses simulated rows of it', async () => {
    const { db } = plane.database
    const { tenantId } = plane.tenant
    await expect(db`update tenants set is_sandbox = true where id = ${tenantId}`).rejects.toThrow(
      'from the beginning or never',
    )
    await expect(
      db`update tenants set is_sandbox = false where id = ${plane.sandbox.tenantId}`,
    ).rejects.toThrow('from the beginning or never')
    const { id } = await book(plane.tenant)
    const rows = [
      db`insert into simulated_media_rooms (name, tenant_id, sid, empty_timeout_sec)
         values (${id}, ${tenantId}, 'RM', 1)`,
      db`insert into simulated_failures (room_id, webhook_type, tenant_id, failure_reason)
         values (${id}, 'transcription.completed', ${tenantId}, 'internal')`,
      db`insert into simulated_egresses (egress_id, media_room, tenant_id, status, output_path, created_at)
         values ('EG', ${id}, ${tenantId}, 'active', 'x', now())`,
    ]
    for (const row of rows) await expect(row).rejects.toThrow('foreign key')
  })

  // contract: Sandbox tenants › A real tenant's rooms are the real provider's alone
  test('books, enters and is reconciled only at the real provider', async () => {
    plane.real.reset()
    const real = await book(plane.tenant)
    const simulated = await book(plane.sandbox)
    expect(plane.real.calls).toEqual([`ensureRoom ${real.id}`])
    expect([...plane.real.rooms.keys()]).toEqual([real.id])
    const both: string[] = [real.id, simulated.id]
    const listed = await plane.deps.media.listRooms(both)
    expect(listed.map(({ name }) => name).toSorted()).toEqual(both.toSorted())
    expect(await plane.deps.media.addressOf(real.id)).toBe('wss://media.test')
    expect(await plane.deps.media.addressOf(simulated.id)).toBe('wss://sandbox.invalid')
    await plane.deps.media.stopEgress({ egressId: 'EG_real', recorder: null })
    expect(plane.real.calls).toContain('stopEgress EG_real')
    expect(plane.real.calls.some((call) => call.includes(simulated.id))).toBe(false)
  })
})

describe('a simulated person', () => {
  // contract: addSimulatedPerson › 201 with `participant_id`, `role`, `display_name`, `is_publishing`;
  //   `name`, `external_type`, `external_id` and `consent` are as a person of a participant token
  // contract: removeSimulatedPerson › 204 ends the connection; 404 NOT_FOUND for who is not connected
  test('enters with an entry and W1, and leaves', async () => {
    const { id } = await book(plane.sandbox)
    const person = {
      ...RESPONDENT,
      external_type: 'User',
      external_id: 7,
      consent: 'given',
      is_publishing: true,
    }
    const entered = await plane.sandbox.post(`/sandbox/rooms/${id}/people`, person)
    expect(entered.status, entered.text).toBe(201)
    const { participant_id } = entered.data
    expect(entered.data).toEqual({
      participant_id,
      role: 'panelist',
      display_name: 'Hanako Sato',
      is_publishing: true,
    })
    expect(await entriesOf(id)).toMatchObject([{ participant_id, left_at: null }])
    const isOfPerson = (event: (typeof plane.received)[number]) =>
      event.type === 'participant.entered' && event.data.participant.id === participant_id
    await waitFor(() => plane.received.some(isOfPerson))
    expect(plane.received.find(isOfPerson)?.data).toMatchObject({
      room_id: id,
      participant: { role: 'panelist', external_type: 'User', external_id: '7' },
    })

    const address = `/sandbox/rooms/${id}/people/${participant_id}`
    expect((await plane.sandbox.delete(address)).status).toBe(204)
    await waitFor(async () => (await entriesOf(id))[0]?.left_at != null)
    expect(await plane.sandbox.delete(address)).toMatchObject({ status: 404, code: 'NOT_FOUND' })
  })

  // contract: addSimulatedPerson › A room that records always begins with the first who publishes
  test('is recorded if the room records always, into a file that can be downloaded', async () => {
    const { id } = await book(plane.sandbox, { archiveMode: 'always' })
    const people = `/sandbox/rooms/${id}/people`
    await plane.sandbox.post(people, { role: 'moderator', name: 'Ken' })
    const { data } = await plane.sandbox.post(people, RESPONDENT)
    const recordings = async () =>
      (await plane.sandbox.get(`/rooms/${id}/recordings`)).data.items as {
        status: string
        id: string
      }[]
    await waitFor(async () => (await recordings())[0]?.status === 'started')
    await waitFor(async () => (await entriesOf(id)).length === 2)
    await plane.sandbox.delete(`${people}/${data.participant_id}`)
    await plane.sandbox.post(`/rooms/${id}/close`)
    await waitFor(async () => (await recordings())[0]?.status === 'available')
    const [recording] = await recordings()
    const download = await plane.sandbox.get(`/recordings/${recording?.id}/download-url`)
    const file = await plane.app.inject(
      new URL(download.data.url).pathname + new URL(download.data.url).search,
    )
    expect(file.statusCode).toBe(200)
    expect(file.rawPayload.subarray(4, 8).toString()).toBe('ftyp')
  })

  // contract: addSimulatedPerson, triggerWebhook › 409 SESSION_RELEASED for a closed room
  // contract: addSimulatedPerson, triggerWebhook › 422 OUTSIDE_TIME_WINDOW before the room opens
  // contract: addSimulatedPerson, triggerWebhook › 409 PARTICIPANT_BANNED for who is banned
  test('is refused like everybody else', async () => {
    const { id } = await book(plane.sandbox)
    const trigger = (roomId: string) =>
      plane.sandbox.post('/sandbox/triggers', { type: 'participant.entered', room_id: roomId })
    const enter = (roomId: string) => plane.sandbox.post(`/sandbox/rooms/${roomId}/people`, PERSON)
    const PERSON = { ...RESPONDENT, external_type: 'Simulated', external_id: 'respondent' }
    const { data } = await enter(id)
    await plane.sandbox.post(`/rooms/${id}/participants/${data.participant_id}/ban`, {
      reason: 'x',
    })
    const later = await book(plane.sandbox, { startsInMin: 600 })
    const closed = await book(plane.sandbox)
    await plane.sandbox.post(`/rooms/${closed.id}/close`)
    for (const call of [enter, trigger]) {
      expect(await call(id)).toMatchObject({ status: 409, code: 'PARTICIPANT_BANNED' })
      expect(await call(later.id)).toMatchObject({ status: 422, code: 'OUTSIDE_TIME_WINDOW' })
      expect(await call(closed.id)).toMatchObject({ status: 409, code: 'SESSION_RELEASED' })
    }
  })

  // contract: addSimulatedPerson, triggerWebhook › 404 NOT_FOUND for another tenant's room
  test('enters no room of another tenant', async () => {
    const { id } = await book(plane.tenant)
    for (const roomId of [id, UNKNOWN]) {
      const entered = await plane.sandbox.post(`/sandbox/rooms/${roomId}/people`, RESPONDENT)
      const triggered = await plane.sandbox.post('/sandbox/triggers', {
        type: 'recording.status_changed',
        room_id: roomId,
      })
      for (const answer of [entered, triggered]) {
        expect(answer).toMatchObject({ status: 404, code: 'NOT_FOUND' })
      }
    }
  })
})

describe('a trigger', () => {
  // contract: triggerWebhook › 422 VALIDATION_ERROR for a `failure_reason` that the `type` does not have,
  //   and for a `room_id` where it happens in none
  test('is refused with a reason of another type, and with a room that it cannot use', async () => {
    const refused = [
      [{ type: 'participant.entered', failure_reason: 'internal' }, 'failure_reason'],
      [{ type: 'recording.status_changed', failure_reason: 'quota_exceeded' }, 'failure_reason'],
      [{ type: 'webhook.test', room_id: UNKNOWN }, 'room_id'],
      [{ type: 'connection_test.completed', room_id: UNKNOWN }, 'room_id'],
    ] as const
    for (const [body, field] of refused) {
      const answer = await plane.sandbox.post('/sandbox/triggers', body)
      expect(answer).toMatchObject({
        status: 422,
        code: 'VALIDATION_ERROR',
        details: [[field, 'NOT_ALLOWED']],
      })
    }
  })

  // contract: triggerWebhook › `connection_test_id` is that of the test; its `room_id`, too
  test('of a connection test answers the test that it made', async () => {
    const { data } = await plane.sandbox.post('/sandbox/triggers', {
      type: 'connection_test.completed',
      failure_reason: 'no_device',
    })
    const read = await plane.sandbox.get(`/connection-tests/${data.connection_test_id}`)
    expect(read.data).toMatchObject({
      room_id: data.room_id,
      status: 'failed',
      failure_reason: 'no_device',
    })
  })
})

describe('the clock', () => {
  // contract: advanceSandboxClock › 200 with `advanced_seconds`, `sessions`, `connection_tests`; a room
  //   whose window opens later opens
  test('opens a room that opens tomorrow, and shows it in its times', async () => {
    const { id, session } = await book(plane.sandbox, { startsInMin: 24 * 60 })
    const enter = () => plane.sandbox.post(`/sandbox/rooms/${id}/people`, RESPONDENT)
    expect((await enter()).code).toBe('OUTSIDE_TIME_WINDOW')
    const day = 24 * 60 * 60
    const advanced = await plane.sandbox.post('/sandbox/clock', { advance_seconds: day })
    expect(advanced.data).toMatchObject({ advanced_seconds: day })
    expect(advanced.data.sessions).toBeGreaterThan(0)
    expect(advanced.data.connection_tests).toBe(0)
    expect((await enter()).status).toBe(201)
    const { data } = await plane.sandbox.get(`/sessions/${session.id}`)
    expect(Date.parse(data.starts_at)).toBe(Date.parse(session.starts_at) - day * 1000)
  })

  // contract: advanceSandboxClock › A connection test that nobody takes expires
  test('lets a connection test expire, and touches no other tenant', async () => {
    const mine = await plane.sandbox.post('/connection-tests', {})
    const theirs = await plane.tenant.post('/connection-tests', {})
    await plane.sandbox.post('/sandbox/clock', { advance_seconds: 2 * 24 * 60 * 60 })
    expect(await statusOf(plane.sandbox, mine.data.id)).toBe('expired')
    expect(await statusOf(plane.tenant, theirs.data.id)).toBe('pending')
  })

  // contract: advanceSandboxClock › Retention gives notice, and deletes
  test('lets retention give notice of a closed room, and delete after that', async () => {
    const { id, session } = await book(plane.sandbox, { startsInMin: -30 })
    await addHandout({ tenant: plane.sandbox }, session.id)
    await plane.sandbox.post(`/rooms/${id}/close`, {})
    await plane.sandbox.patch('/retention', { handouts_days: 30 })
    const advance = (days: number) =>
      plane.sandbox.post('/sandbox/clock', { advance_seconds: days * 24 * 60 * 60 })
    const notices = async () =>
      (await plane.sandbox.get('/events?type=retention.notice')).data.items.filter(
        (event: { data: { room_id: string } }) => event.data.room_id === id,
      )
    const handouts = async () =>
      (await plane.sandbox.get(`/sessions/${session.id}/handouts`)).data.items
    await advance(24)
    await waitFor(async () => (await notices()).length === 1)
    expect(await handouts()).toHaveLength(1)
    await advance(7)
    await waitFor(async () => (await handouts()).length === 0)
    expect(await notices()).toHaveLength(1)
    await plane.sandbox.patch('/retention', { handouts_days: null })
  })

  // contract: advanceSandboxClock, Limits › `advance_seconds` is 1 to `SANDBOX_ADVANCE_MAX_SEC`, 400 days
  test.each([0, -1, 1.5, SANDBOX_ADVANCE_MAX_SEC + 1, null])(
    'does not advance by %j seconds',
    async (advance_seconds) => {
      const answer = await plane.sandbox.post('/sandbox/clock', { advance_seconds })
      expect(answer).toMatchObject({ status: 400, code: 'INVALID_REQUEST' })
    },
  )
})
