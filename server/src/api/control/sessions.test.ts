import { randomUUID } from 'node:crypto'
import { describe, expect, test } from 'vitest'
import { resizeMediaRoomJob } from '../../domain/booking/resize-media-room.job.ts'
import { createActingTenant } from '../../testing/acting-tenant.ts'
import { createTestChat } from '../../testing/chat-messages.ts'
import { useControlPlane } from '../../testing/control-plane.ts'
import { addRecording } from '../../testing/recordings.ts'
import { booking } from '../../testing/tenant-client.ts'

const plane = useControlPlane()

const at = (minutes: number) => new Date(plane.now.getTime() + minutes * 60_000).toISOString()

async function addEntry(roomId: string): Promise<void> {
  await plane.database.db`
    insert into entry_histories (tenant_id, room_id, seq, media_identity, media_sid, name, role, entered_at)
    values (${plane.tenant.tenantId}, ${roomId}, 1000, 'x', ${randomUUID()}, 'Hana', 'panelist', ${plane.now})
  `
}

const eventsOf = (roomId: string) => plane.database.db`
  select event_type, payload from room_events where room_id = ${roomId}
`

describe('GET /sessions', () => {
  // contract: listSessions › 200, list envelope of Sessions found by `external_type` and
  //   `external_id`
  test('finds the session of an external reference', async () => {
    const { session } = await plane.book()
    const found = await plane.tenant.get(
      `/sessions?external_type=Slot&external_id=${session.external_id}`,
    )
    expect(found.status).toBe(200)
    expect(found.data).toMatchObject({
      items: [
        {
          id: session.id,
          external_type: 'Slot',
          external_id: session.external_id,
          status: 'active',
        },
      ],
      next_cursor: null,
      has_more: false,
    })
  })

  // contract: listSessions › Cancelled Sessions are found, too
  test('finds a cancelled session too', async () => {
    const { session } = await plane.book()
    await plane.tenant.delete(`/sessions/${session.id}`)
    const found = await plane.tenant.get(
      `/sessions?external_type=Slot&external_id=${session.external_id}`,
    )
    expect(found.data.items[0].status).toBe('cancelled')
  })

  // contract: listSessions › 400 INVALID_REQUEST when one or both are missing: there is no list of
  //   all Sessions
  test.each([
    ['', ['external_type', 'external_id']],
    ['?external_type=Slot', ['external_id']],
    ['?external_id=1', ['external_type']],
  ])('with the query "%s" is 400 INVALID_REQUEST: both or nothing', async (query, missing) => {
    const refused = await plane.tenant.get(`/sessions${query}`)
    expect([refused.status, refused.code]).toEqual([400, 'INVALID_REQUEST'])
    expect(refused.details).toEqual(missing.map((field) => [field, 'REQUIRED']))
  })

  // contract: listSessions › 400 INVALID_REQUEST for bounds of `external_id`, `limit`, `cursor` and
  //   unknown parameters
  test.each([
    [`external_id=${'x'.repeat(65)}`, ['external_id', 'TOO_LONG']],
    ['external_id=', ['external_id', 'TOO_SHORT']],
    ['external_id=1&external_id=2', ['external_id', 'INVALID_TYPE']],
    ['external_id=1&limit=0', ['limit', 'OUT_OF_RANGE']],
    ['external_id=1&limit=101', ['limit', 'OUT_OF_RANGE']],
    ['external_id=1&limit=1000', ['limit', 'OUT_OF_RANGE']],
    ['external_id=1&limit=-1', ['limit', 'OUT_OF_RANGE']],
    ['external_id=1&cursor=AAAA', ['cursor', 'INVALID_FORMAT']],
    ['external_id=1&status=active', ['status', 'UNKNOWN_FIELD']],
  ])('with %s is 400 INVALID_REQUEST', async (query, detail) => {
    const refused = await plane.tenant.get(`/sessions?external_type=Slot&${query}`)
    expect(refused).toMatchObject({ status: 400, code: 'INVALID_REQUEST', details: [detail] })
  })

  // contract: listSessions › Both parameters match exactly
  test('matches both halves of the reference, letter by letter', async () => {
    const { session } = await plane.book()
    for (const query of [
      `external_type=Slot&external_id=${session.external_id.slice(0, -1)}`,
      `external_type=slot&external_id=${session.external_id}`,
      `external_type=Slot&external_id=${session.external_id.toUpperCase()}`,
      'external_type=Slot&external_id=%25',
    ]) {
      expect((await plane.tenant.get(`/sessions?${query}`)).data.items).toEqual([])
    }
  })

  // contract: listSessions › Only the caller's own references are matched
  test('never shows a session of another tenant with the same reference', async () => {
    const body = booking({ now: plane.now })
    await plane.tenant.post('/rooms', body)
    const query = `/sessions?external_type=Slot&external_id=${body.session.external_id}`
    expect((await plane.other.get(query)).data.items).toEqual([])
    expect((await plane.other.post('/rooms', body)).status).toBe(201)
    expect((await plane.other.get(query)).data.items).toHaveLength(1)
  })
})

describe('GET /sessions/{session_id}', () => {
  // contract: Fields of a Session › `id`, `external_type`, `external_id`, `name`, `access_token`,
  //   `starts_at`, `ends_at`, `status`, `room` (`id`, `session_id`, `connect_url`), `created_at`
  // contract: getSession › 200, Session with its Room
  test('answers the session with its room', async () => {
    const body = booking({ now: plane.now })
    const room = await plane.tenant.post('/rooms', body)
    const { id } = room.data.session
    const answer = await plane.tenant.get(`/sessions/${id}`)
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
      created_at: plane.now.toISOString(),
    })
  })

  // contract: States of a Session › Derived at each read, the same in the Room as in the Session
  test('derives the status from the time, in the room as in the session', async () => {
    const start = plane.now
    const { data } = await plane.tenant.post('/rooms', booking({ now: start, startsInMin: 60 }))
    const seen: string[] = []
    for (const minutes of [0, 29, 30, 150, 151]) {
      plane.now = new Date(start.getTime() + minutes * 60_000)
      const session = await plane.tenant.get(`/sessions/${data.session.id}`)
      const room = await plane.tenant.get(`/rooms/${data.id}`)
      expect(room.data.session.status).toBe(session.data.status)
      seen.push(session.data.status)
    }
    plane.now = start
    expect(seen).toEqual(['scheduled', 'scheduled', 'active', 'active', 'closed'])
  })

  // contract: getSession › 404 NOT_FOUND for an invalid id
  test.each(['abc', '%7B018f0000-0000-7000-8000-000000000000%7D', 'x'.repeat(300), '%zz', '%00'])(
    'answers 404 for %s, which is not an id',
    async (id) => {
      expect(await plane.tenant.get(`/sessions/${id}`)).toMatchObject({
        status: 404,
        code: 'NOT_FOUND',
      })
    },
  )
})

describe('PATCH /sessions/{session_id}', () => {
  // contract: patchSession › 200, the updated Session; absent is unchanged, null clears, a value
  //   replaces (`starts_at`, `ends_at`, `name`)
  test('changes the given fields, clears a name with null and leaves the rest', async () => {
    const { session } = await plane.book()
    const named = await plane.tenant.patch(`/sessions/${session.id}`, { name: '面接' })
    expect([named.status, named.data.name, named.data.ends_at]).toEqual([
      200,
      '面接',
      session.ends_at,
    ])
    const moved = await plane.tenant.patch(`/sessions/${session.id}`, { ends_at: at(200) })
    expect([moved.data.name, moved.data.ends_at]).toEqual(['面接', at(200)])
    const cleared = await plane.tenant.patch(`/sessions/${session.id}`, { name: null })
    expect(cleared.data.name).toBeNull()
    expect((await plane.tenant.get(`/sessions/${session.id}`)).data).toEqual(cleared.data)
  })

  // contract: patchSession › An empty patch changes nothing
  test('without a member changes nothing', async () => {
    const { session } = await plane.book()
    const before = await plane.tenant.get(`/sessions/${session.id}`)
    expect((await plane.tenant.patch(`/sessions/${session.id}`, {})).data).toEqual(before.data)
  })

  // contract: patchSession › Only `name` is nullable; 400 INVALID_REQUEST for types, bounds,
  //   formats; transcription settings are not here
  test.each([
    [{ starts_at: null }, 'starts_at', 'NOT_NULLABLE'],
    [{ name: 7 }, 'name', 'INVALID_TYPE'],
    [{ name: 'x'.repeat(256) }, 'name', 'TOO_LONG'],
    [{ ends_at: '2026-02-30T00:00:00Z' }, 'ends_at', 'INVALID_FORMAT'],
    [{ transcription_language: 'ja-JP' }, 'transcription_language', 'UNKNOWN_FIELD'],
    [{ status: 'closed' }, 'status', 'UNKNOWN_FIELD'],
  ])('with %j is 400 INVALID_REQUEST', async (patch, field, code) => {
    const { session } = await plane.book()
    const refused = await plane.tenant.patch(`/sessions/${session.id}`, patch)
    expect([refused.status, refused.code]).toEqual([400, 'INVALID_REQUEST'])
    expect(refused.details).toEqual([[field, code]])
  })

  // contract: patchSession › 422 IMMUTABLE_FIELD for `external_type`, `external_id`
  // contract: Error codes › 422 IMMUTABLE_FIELD
  // contract: Detail codes › `IMMUTABLE`
  test.each(['external_type', 'external_id'])('of %s is 422 IMMUTABLE_FIELD', async (field) => {
    const { session } = await plane.book()
    const refused = await plane.tenant.patch(`/sessions/${session.id}`, { [field]: 'other' })
    expect([refused.status, refused.code]).toEqual([422, 'IMMUTABLE_FIELD'])
    expect(refused.details).toEqual([[field, 'IMMUTABLE']])
  })

  // contract: patchSession › 422 INVALID_TIME_WINDOW when it would end before it starts, or last
  //   over 24 hours
  test('to an impossible slot is 422 INVALID_TIME_WINDOW on ends_at, and nothing changes', async () => {
    const { session } = await plane.book()
    const refused = await plane.tenant.patch(`/sessions/${session.id}`, {
      ends_at: session.starts_at,
    })
    expect([refused.status, refused.code]).toEqual([422, 'INVALID_TIME_WINDOW'])
    expect(refused.details).toEqual([['ends_at', 'BEFORE_STARTS_AT']])
    const long = await plane.tenant.patch(`/sessions/${session.id}`, { ends_at: at(60 * 30) })
    expect(long.details).toEqual([['ends_at', 'SLOT_TOO_LONG']])
    const { data } = await plane.tenant.get(`/sessions/${session.id}`)
    expect(data.ends_at).toBe(session.ends_at)
  })

  // contract: patchSession › 422 INVALID_TIME_WINDOW when it would be over
  test('to a slot that is over is 422 INVALID_TIME_WINDOW', async () => {
    const { session } = await plane.book()
    const refused = await plane.tenant.patch(`/sessions/${session.id}`, {
      starts_at: at(-60),
      ends_at: at(-1),
    })
    expect([refused.status, refused.code]).toEqual([422, 'INVALID_TIME_WINDOW'])
    expect(refused.details).toEqual([['ends_at', 'IN_PAST']])
  })

  // contract: patchSession › 422 INVALID_TIME_WINDOW: `ends_at` that is over, also the one that
  //   stands
  test('with an end in the past is 422 INVALID_TIME_WINDOW, even if it is the stored one', async () => {
    const { session } = await plane.book()
    const before = plane.now
    plane.now = new Date(session.ends_at)
    const path = `/sessions/${session.id}`
    const refused = await plane.tenant.patch(path, { name: 'Late', ends_at: session.ends_at })
    const named = await plane.tenant.patch(path, { name: 'Late' })
    plane.now = before
    expect([refused.status, refused.code]).toEqual([422, 'INVALID_TIME_WINDOW'])
    expect(refused.details).toEqual([['ends_at', 'IN_PAST']])
    expect(named.status).toBe(200)
  })

  // contract: patchSession › 409 SESSION_ALREADY_STARTED for a changed time once there is an
  //   EntryHistory; a name may change
  // contract: Error codes › 409 SESSION_ALREADY_STARTED
  test('of the time, once a person has entered, is 409 SESSION_ALREADY_STARTED; of the name is not', async () => {
    const room = await plane.book()
    await addEntry(room.id)
    const path = `/sessions/${room.session.id}`
    const refused = await plane.tenant.patch(path, { ends_at: at(200) })
    expect([refused.status, refused.code]).toEqual([409, 'SESSION_ALREADY_STARTED'])
    expect((await plane.tenant.patch(path, { name: 'Later' })).status).toBe(200)
    const same = { starts_at: room.session.starts_at, ends_at: room.session.ends_at }
    expect((await plane.tenant.patch(path, same)).status).toBe(200)
  })

  // contract: patchSession › 409 SESSION_RELEASED for a cancelled Session
  // contract: Error codes › 409 SESSION_RELEASED
  test('of a cancelled session is 409 SESSION_RELEASED', async () => {
    const { session } = await plane.book()
    await plane.tenant.delete(`/sessions/${session.id}`)
    const refused = await plane.tenant.patch(`/sessions/${session.id}`, { name: 'Too late' })
    expect([refused.status, refused.code]).toEqual([409, 'SESSION_RELEASED'])
  })

  // contract: patchSession › `application/merge-patch+json`
  test('is taken as application/merge-patch+json and as application/json', async () => {
    const { session } = await plane.book()
    for (const type of ['application/merge-patch+json', 'application/json']) {
      const answer = await plane.tenant.send({
        method: 'PATCH',
        url: `/api/v1/sessions/${session.id}`,
        payload: JSON.stringify({ name: type }),
        headers: { 'content-type': type },
      })
      expect([answer.status, answer.data.name]).toEqual([200, type])
    }
  })

  // contract: patchSession › `name` up to 255 characters
  test('takes a name of 255 characters', async () => {
    const { session } = await plane.book()
    const name = '🎥'.repeat(255)
    expect((await plane.tenant.patch(`/sessions/${session.id}`, { name })).data.name).toBe(name)
  })

  // contract: patchSession › The media room lives as long as the moved slot needs
  test('makes the media room live as long as the moved slot needs', async () => {
    const room = await plane.book()
    const before = plane.media.rooms.get(room.id)?.spec.emptyTimeoutSec ?? 0
    await plane.tenant.patch(`/sessions/${room.session.id}`, { ends_at: at(600) })
    await resizeMediaRoomJob(plane.deps).run({
      key: room.id,
      payload: {},
      attempt: 1,
      signal: new AbortController().signal,
      log: plane.deps.log,
    })
    const after = plane.media.rooms.get(room.id)?.spec.emptyTimeoutSec ?? 0
    expect(before).toBeLessThan(after)
    expect(after).toBe((600 + 35) * 60)
  })

  // contract: patchSession › Two concurrent patches lose nothing
  test('of different fields at the same time keeps both', async () => {
    const { session } = await plane.book()
    await Promise.all([
      plane.tenant.patch(`/sessions/${session.id}`, { name: 'Both' }),
      plane.tenant.patch(`/sessions/${session.id}`, { ends_at: at(150) }),
    ])
    const { data } = await plane.tenant.get(`/sessions/${session.id}`)
    expect([data.name, data.ends_at]).toEqual(['Both', at(150)])
  })
})

describe('DELETE /sessions/{session_id}', () => {
  // contract: Form of answers › Not enveloped: a 204 has no body
  // contract: States of a Session › DELETE: any → cancelled, cascades to the close of the Room
  // contract: cancelSession › 204 without a body; the Room is closed, people are disconnected
  test('cancels the session, closes its room and empties the media room', async () => {
    const room = await plane.book()
    const answer = await plane.tenant.delete(`/sessions/${room.session.id}`)
    expect([answer.status, answer.text]).toEqual([204, ''])
    expect((await plane.tenant.get(`/sessions/${room.session.id}`)).data.status).toBe('cancelled')
    const { data } = await plane.tenant.get(`/rooms/${room.id}`)
    expect([data.status, data.session.status]).toEqual(['closed', 'cancelled'])
    expect(plane.media.rooms.has(room.id)).toBe(false)
  })

  // contract: cancelSession › 204 on a repeat, and nothing new is recorded
  test('a repeat answers 204 and records nothing new', async () => {
    const room = await plane.book()
    const path = `/sessions/${room.session.id}`
    const answers = await Promise.all([1, 2, 3].map(() => plane.tenant.delete(path)))
    expect(answers.map((answer) => answer.status)).toEqual([204, 204, 204])
    expect(await eventsOf(room.id)).toMatchObject([
      { event_type: 'room.closed', payload: { reason: 'session_cancelled' } },
    ])
  })

  // contract: cancelSession › Recordings, chat and entries are kept
  test('keeps recordings, chat and entries', async () => {
    const room = await plane.book()
    await addEntry(room.id)
    const message = await createTestChat(plane).addMessage(room.id)
    const recording = await addRecording(plane, room.id)
    await plane.tenant.delete(`/sessions/${room.session.id}`)
    const list = async (name: string) =>
      (await plane.tenant.get(`/rooms/${room.id}/${name}`)).data.items
    expect(await list('recordings')).toMatchObject([{ id: recording }])
    expect(await list('chat-messages')).toMatchObject([{ id: message }])
    expect(await list('entry-histories')).toHaveLength(1)
  })

  // contract: cancelSession › Entry is refused with 409 SESSION_RELEASED, whatever the tenant signs
  test('refuses entry with 409 SESSION_RELEASED, whatever the tenant signs', async () => {
    const before = plane.now
    // Tokens are signed with the time of the machine.
    plane.now = new Date()
    const acting = await createActingTenant(plane.deps, plane.tenant.tenantId)
    const room = await plane.book()
    await plane.tenant.delete(`/sessions/${room.session.id}`)
    const answer = await plane.app.inject({
      method: 'POST',
      url: `/api/v1/rooms/${room.id}/live/entry`,
      headers: { authorization: `Bearer ${await acting.signToken({ roomId: room.id })}` },
    })
    plane.now = before
    expect([answer.statusCode, answer.json().error.code]).toEqual([409, 'SESSION_RELEASED'])
  })

  // contract: States of a Session › DELETE: closed → cancelled
  test('after the room was closed makes it cancelled', async () => {
    const room = await plane.book()
    await addEntry(room.id)
    await plane.tenant.post(`/rooms/${room.id}/close`)
    expect((await plane.tenant.get(`/sessions/${room.session.id}`)).data.status).toBe('closed')
    await plane.tenant.delete(`/sessions/${room.session.id}`)
    expect((await plane.tenant.get(`/sessions/${room.session.id}`)).data.status).toBe('cancelled')
    expect(await eventsOf(room.id)).toHaveLength(1)
  })
})

describe('a session of another tenant', () => {
  // contract: getSession › Other tenant: 404 NOT_FOUND
  // contract: patchSession › Other tenant: 404 NOT_FOUND, and nothing changes
  // contract: cancelSession › Other tenant: 404 NOT_FOUND, and nothing is cancelled
  test.each([
    ['GET', undefined],
    ['PATCH', { name: 'mine' }],
    ['DELETE', undefined],
  ] as const)('answers %s with 404, byte for byte like an unknown one', async (method, body) => {
    const { session } = await plane.book()
    const ask = (id: string) =>
      plane.other.send({
        method,
        url: `/api/v1/sessions/${id}`,
        ...(body === undefined
          ? {}
          : {
              payload: JSON.stringify(body),
              headers: { 'content-type': 'application/merge-patch+json' },
            }),
      })
    const foreign = await ask(session.id)
    expect(foreign.status).toBe(404)
    expect(foreign.text).toBe((await ask(randomUUID())).text)
    expect((await plane.tenant.get(`/sessions/${session.id}`)).data.status).not.toBe('cancelled')
  })
})
