import { beforeEach, describe, expect, test } from 'vitest'
import { createApp } from '../../app.ts'
import { WAITS } from '../../platform/config/config.ts'
import { MediaError } from '../../platform/ports/media.ts'
import { useControlPlane } from '../../testing/control-plane.ts'
import { runJobs } from '../../testing/run-jobs.ts'
import {
  booking,
  createTenantClient,
  type TenantClient,
  toAnswer,
} from '../../testing/tenant-client.ts'
import { undoAbandonedRoomsJob } from './undo-abandoned-rooms.job.ts'

const plane = useControlPlane()
let tenant: TenantClient

// Each test counts rooms and calls from zero.
beforeEach(async () => {
  plane.now = new Date('2026-06-01T10:00:00.000Z')
  plane.media.reset()
  tenant = await createTenantClient(plane.app, plane.database.db)
})

async function rowsOf(tenantId: string): Promise<{ rooms: number; sessions: number }> {
  const [row] = await plane.database.db<{ rooms: bigint; sessions: bigint }[]>`
    select (select count(*) from rooms    where tenant_id = ${tenantId}) as rooms,
           (select count(*) from sessions where tenant_id = ${tenantId}) as sessions
  `
  return { rooms: Number(row?.rooms), sessions: Number(row?.sessions) }
}

async function waitingJobs(kind: string): Promise<string[]> {
  const rows = await plane.database.db<{ key: string }[]>`select key from jobs where kind = ${kind}`
  return rows.map((row) => row.key)
}

function runOf(signal = new AbortController().signal) {
  return { key: 'all', payload: {}, attempt: 1, signal, log: plane.deps.log }
}

describe('POST /rooms', () => {
  // contract: Form of answers › Ids are UUIDs given by the service, sortable by time
  // contract: Fields of a Session › In a Room: `id`, `external_type`, `external_id`, `starts_at`,
  //   `ends_at`, `status`
  // contract: Fields of a Room › `id`, `kind`, `status`, `session`, `connect_url`,
  //   `provider_inspector_url`, `created_at`
  // contract: Fields of a Room › `archive_mode`, `archive_resolution`, `stream_resolution`,
  //   `stream_frame_rate`
  // contract: Fields of a Room › `transcription_language`, `transcription_service`
  // contract: Fields of a Room › `session`: `id`, `external_type`, `external_id`, `starts_at`,
  //   `ends_at`, `status`
  // contract: createRoom › 201 with `Location`; Room and Session together
  test('answers 201 with Location, the defaults and the session', async () => {
    const body = booking({ now: plane.now })
    const answer = await tenant.post('/rooms', body)
    expect(answer.status).toBe(201)
    expect(answer.headers['location']).toBe(`/api/v1/rooms/${answer.data.id}`)
    expect(answer.data).toEqual({
      id: expect.stringMatching(/^[0-9a-f]{8}-[0-9a-f]{4}-7/),
      kind: 'interview',
      status: 'open',
      archive_mode: 'always',
      archive_resolution: '640x480',
      transcription_language: 'ja-JP',
      transcription_service: 'engine_c',
      transcription_failover: null,
      live_text: null,
      session: {
        id: expect.stringMatching(/^[0-9a-f]{8}-[0-9a-f]{4}-7/),
        external_type: 'Slot',
        external_id: body.session.external_id,
        starts_at: body.session.starts_at,
        ends_at: body.session.ends_at,
        status: 'active',
      },
      stream_resolution: '320x240',
      stream_frame_rate: 15,
      connect_url: `https://rooms.test/r/${answer.data.id}`,
      provider_inspector_url: null,
      created_at: plane.now.toISOString(),
    })
    expect(answer.headers).not.toHaveProperty('deprecation')
  })

  // contract: createRoom › GET gives back exactly what was answered
  // contract: getRoom › 200 Room
  test('gives back by GET exactly what it answered', async () => {
    const created = await tenant.post('/rooms', {
      ...booking({ now: plane.now, startsInMin: 45 }),
      archive_mode: 'manual',
      archive_resolution: '1280x720',
      stream_resolution: '1280x720',
      stream_frame_rate: 30,
      transcription_language: 'EN-us',
      transcription_service: 'engine_a',
    })
    expect(created.status).toBe(201)
    expect(created.data).toMatchObject({
      archive_mode: 'manual',
      stream_frame_rate: 30,
      transcription_language: 'en-US',
      session: { status: 'scheduled' },
    })
    const read = await tenant.get(`/rooms/${created.data.id}`)
    expect(read.status).toBe(200)
    expect(read.data).toEqual(created.data)
  })

  // contract: createRoom › `live_text`: off, staff, everyone or null, as booked
  test('keeps who may read live text, whatever the settings allow', async () => {
    for (const live_text of ['off', 'staff', 'everyone', null]) {
      const { data } = await tenant.post('/rooms', { ...booking({ now: plane.now }), live_text })
      expect((await tenant.get(`/rooms/${data.id}`)).data.live_text).toBe(live_text)
    }
    const others = { ...booking({ now: plane.now }), live_text: 'panelists' }
    const refused = await tenant.post('/rooms', others)
    expect(refused).toMatchObject({ status: 400, code: 'INVALID_REQUEST' })
  })

  // contract: createRoom › The media room is named by the Room and made with its timeout
  test('makes the media room, named by the room, for the slot and 35 minutes', async () => {
    const { data } = await tenant.post('/rooms', booking({ now: plane.now, startsInMin: 0 }))
    expect(plane.media.rooms.get(data.id)?.spec).toEqual({
      name: data.id,
      tenantId: tenant.tenantId,
      emptyTimeoutSec: 3600 + 2100,
      metadata: { room_id: data.id },
    })
  })

  // contract: Form of answers › Datetimes are taken with any offset and published in UTC with
  //   milliseconds
  test('keeps texts as given and cuts times to milliseconds', async () => {
    const body = booking({ now: plane.now })
    const { data } = await tenant.post('/rooms', {
      ...body,
      session: {
        ...body.session,
        external_id: '🎥'.repeat(64),
        name: '面接 🎥',
        starts_at: '2026-06-01T19:10:00.123999+09:00',
      },
    })
    expect(data.session.external_id).toBe('🎥'.repeat(64))
    expect(data.session.starts_at).toBe('2026-06-01T10:10:00.123Z')
    const session = await tenant.get(`/sessions/${data.session.id}`)
    expect(session.data.name).toBe('面接 🎥')
  })

  // contract: Fields of a Session › A number that is an `external_id` is stored as its digits
  test('keeps a number that is an external_id as its digits, the same as the text of them', async () => {
    const number = Math.trunc(Math.random() * Number.MAX_SAFE_INTEGER)
    const body = booking({ now: plane.now })
    const book = (id: string | number) =>
      tenant.post('/rooms', { ...body, session: { ...body.session, external_id: id } })
    const { status, data } = await book(number)
    expect([status, data.session.external_id]).toEqual([201, String(number)])
    expect((await book(String(number))).code).toBe('DUPLICATE_EXTERNAL_REF')
  })

  // contract: Fields of a Room › `provider_inspector_url` is made of the media room's id, which
  //   itself is not published; null where there is no viewer
  test('publishes the inspector of the media room where there is one', async () => {
    const inspectorUrl = 'https://inspect.test/sessions/{sid}'
    const config = { ...plane.deps.config, livekit: { ...plane.deps.config.livekit, inspectorUrl } }
    const inspected = await createApp({ ...plane.deps, config })
    const client = await createTenantClient(inspected, plane.database.db)
    const { data } = await client.post('/rooms', booking({ now: plane.now }))
    const sid = plane.media.rooms.get(data.id)?.sid
    expect(data.provider_inspector_url).toBe(`https://inspect.test/sessions/${sid}`)
    await inspected.close()
  })

  // contract: createRoom › engine_d and engine_e are deprecated: `Deprecation`, `Sunset`
  test.each(['engine_d', 'engine_e'])('answers deprecation headers for %s', async (engine) => {
    const body = { ...booking({ now: plane.now }), transcription_service: engine }
    const { status, headers } = await tenant.post('/rooms', body)
    expect(status).toBe(201)
    expect(headers['deprecation']).toMatch(/^@\d+$/)
    expect(new Date(String(headers['sunset'])).getTime()).toBeGreaterThan(plane.now.getTime())
  })
})

describe('POST /rooms refuses', () => {
  type Change = (body: ReturnType<typeof booking>) => unknown

  const FORM: readonly [string, Change, [string, string][]][] = [
    ['no body', () => undefined, [['body', 'REQUIRED']]],
    ['another type than an object', () => [], [['body', 'INVALID_TYPE']]],
    ['no kind', ({ session }) => ({ session }), [['kind', 'REQUIRED']]],
    [
      'a kind that is made elsewhere',
      (b) => ({ ...b, kind: 'connection_test' }),
      [['kind', 'INVALID_ENUM']],
    ],
    ['no session', () => ({ kind: 'interview' }), [['session', 'REQUIRED']]],
    ['null as session', (b) => ({ ...b, session: null }), [['session', 'NOT_NULLABLE']]],
    ['an unknown field', (b) => ({ ...b, kindd: 1 }), [['kindd', 'UNKNOWN_FIELD']]],
    [
      'an unknown field of the session',
      (b) => ({ ...b, session: { ...b.session, x: 1 } }),
      [['session.x', 'UNKNOWN_FIELD']],
    ],
    [
      'a number as text',
      (b) => ({ ...b, stream_frame_rate: '15' }),
      [['stream_frame_rate', 'INVALID_TYPE']],
    ],
    [
      'a rate of another list',
      (b) => ({ ...b, stream_frame_rate: 25 }),
      [['stream_frame_rate', 'INVALID_ENUM']],
    ],
    [
      'text as a number',
      (b) => ({ ...b, session: { ...b.session, external_id: 5.5 } }),
      [['session.external_id', 'INVALID_TYPE']],
    ],
    [
      'an empty reference',
      (b) => ({ ...b, session: { ...b.session, external_id: '' } }),
      [['session.external_id', 'TOO_SHORT']],
    ],
    [
      'a reference of 65 characters',
      (b) => ({ ...b, session: { ...b.session, external_id: '🎥'.repeat(65) } }),
      [['session.external_id', 'TOO_LONG']],
    ],
    [
      'a name of 256 characters',
      (b) => ({ ...b, session: { ...b.session, name: 'x'.repeat(256) } }),
      [['session.name', 'TOO_LONG']],
    ],
    [
      'a name of another type',
      (b) => ({ ...b, session: { ...b.session, name: 5 } }),
      [['session.name', 'INVALID_TYPE']],
    ],
    [
      'a time without zone',
      (b) => ({ ...b, session: { ...b.session, starts_at: '2026-06-01T10:00:00' } }),
      [['session.starts_at', 'INVALID_FORMAT']],
    ],
    [
      'a day that does not exist',
      (b) => ({ ...b, session: { ...b.session, ends_at: '2026-02-30T10:00:00Z' } }),
      [['session.ends_at', 'INVALID_FORMAT']],
    ],
    [
      'a long language',
      (b) => ({ ...b, transcription_language: 'x'.repeat(17) }),
      [['transcription_language', 'TOO_LONG']],
    ],
    [
      'an unknown language',
      (b) => ({ ...b, transcription_language: 'fr-FR' }),
      [['transcription_language', 'INVALID_ENUM']],
    ],
    [
      'an unknown engine',
      (b) => ({ ...b, transcription_service: 'engine_f' }),
      [['transcription_service', 'INVALID_ENUM']],
    ],
    ['null for what is required', (b) => ({ ...b, kind: null }), [['kind', 'NOT_NULLABLE']]],
  ]

  // contract: Bodies and queries › Nothing is coerced: a number as text is `INVALID_TYPE`
  // contract: createRoom › 400 INVALID_REQUEST: `kind` missing or invalid, `session` missing,
  //   enums, types, bounds (`transcription_language` at most 16: `LANGUAGE_CODE_MAX`), formats,
  //   null
  // contract: Detail codes › `REQUIRED`, `NOT_NULLABLE`, `INVALID_TYPE`, `INVALID_FORMAT`,
  //   `INVALID_ENUM`, `TOO_SHORT`, `TOO_LONG`, `UNKNOWN_FIELD`
  test.each(FORM)('%s with 400 INVALID_REQUEST', async (_name, change, details) => {
    const answer = await tenant.post('/rooms', change(booking({ now: plane.now })) as object)
    expect(answer).toMatchObject({ status: 400, code: 'INVALID_REQUEST' })
    expect(answer.details).toEqual(details)
    expect(await rowsOf(tenant.tenantId)).toEqual({ rooms: 0, sessions: 0 })
    expect(plane.media.calls).toEqual([])
  })

  // contract: Form of answers › `details` has `field`, `code`, `message`; all faults together, at
  //   most 50
  test('all faults in one answer, at most 50', async () => {
    const unknown = Object.fromEntries(Array.from({ length: 80 }, (_, n) => [`x${n}`, n]))
    const answer = await tenant.post('/rooms', { ...unknown, kind: 1 })
    expect(answer.details).toHaveLength(50)
  })

  test('null more kindly than a wrong value: one detail', async () => {
    const answer = await tenant.post('/rooms', { ...booking({ now: plane.now }), kind: null })
    expect(answer.details).toEqual([['kind', 'NOT_NULLABLE']])
  })

  // contract: createRoom › 400 INVALID_REQUEST: control characters in references
  test('control characters in references, and names the fields; in a name they are removed', async () => {
    const body = booking({ now: plane.now })
    const session = { ...body.session, external_type: 'Slot\u0007', external_id: 'two\nlines' }
    const answer = await tenant.post('/rooms', { ...body, session })
    expect(answer).toMatchObject({ status: 400, code: 'INVALID_REQUEST' })
    expect(answer.details).toEqual([
      ['session.external_type', 'INVALID_FORMAT'],
      ['session.external_id', 'INVALID_FORMAT'],
    ])
    const shown = { ...body.session, name: '面接\n🎥\u0007' }
    const booked = await tenant.post('/rooms', { ...body, session: shown })
    const { data } = await tenant.get(`/sessions/${booked.data.session.id}`)
    expect(data.name).toBe('面接\n🎥')
  })

  // contract: createRoom › 400 INVALID_JSON
  test.each([
    ['{"kind":"interview"', 'cut off'],
    ['{"kind":"interview","kind":"interview"}', 'a duplicate key'],
    ['{"kind":"a\\u0000b"}', 'NUL'],
  ])('%s (%s) with 400 INVALID_JSON', async (body) => {
    expect(await tenant.post('/rooms', body)).toMatchObject({ status: 400, code: 'INVALID_JSON' })
  })

  // contract: createRoom › 422 INVALID_TIME_WINDOW: end not after start, end in the past, over 24
  //   hours
  // contract: Error codes › 422 INVALID_TIME_WINDOW
  // contract: Detail codes › `BEFORE_STARTS_AT`, `IN_PAST`, `SLOT_TOO_LONG`, on `ends_at`
  test.each([
    ['that ends before it starts', 60, 30, 'BEFORE_STARTS_AT'],
    ['that ends when it starts', 60, 60, 'BEFORE_STARTS_AT'],
    ['that is over', -60, -30, 'IN_PAST'],
    ['longer than a day', 0, 24 * 60 + 1, 'SLOT_TOO_LONG'],
  ])('a slot %s with 422 INVALID_TIME_WINDOW', async (...[, startMin, endMin, code]) => {
    const body = booking({ now: plane.now })
    const at = (min: number) => new Date(plane.now.getTime() + min * 60_000).toISOString()
    const session = { ...body.session, starts_at: at(startMin), ends_at: at(endMin) }
    const answer = await tenant.post('/rooms', { ...body, session })
    expect(answer).toMatchObject({ status: 422, code: 'INVALID_TIME_WINDOW' })
    expect(answer.details).toEqual([['session.ends_at', code]])
    expect(plane.media.calls).toEqual([])
  })

  // contract: createRoom › 409 DUPLICATE_EXTERNAL_REF, and no media room is made
  // contract: Error codes › 409 DUPLICATE_EXTERNAL_REF
  test('a reference that exists with 409 DUPLICATE_EXTERNAL_REF, and makes no media room', async () => {
    const body = booking({ now: plane.now })
    expect((await tenant.post('/rooms', body)).status).toBe(201)
    const again = await tenant.post('/rooms', body)
    expect(again).toMatchObject({ status: 409, code: 'DUPLICATE_EXTERNAL_REF' })
    expect(plane.media.rooms.size).toBe(1)
    expect(await rowsOf(tenant.tenantId)).toEqual({ rooms: 1, sessions: 1 })
  })

  // contract: createRoom › Other tenant: the same reference is nothing to it
  test('nothing to another tenant who uses the same reference', async () => {
    const other = await createTenantClient(plane.app, plane.database.db)
    const body = booking({ now: plane.now })
    expect((await tenant.post('/rooms', body)).status).toBe(201)
    expect((await other.post('/rooms', body)).status).toBe(201)
  })
})

describe('when the provider fails', () => {
  // contract: createRoom › 502 RTC_PROVISION_FAILED, and the whole booking is undone
  // contract: Error codes › 502 RTC_PROVISION_FAILED
  test('returns 502 RTC_PROVISION_FAILED and undoes the booking', async () => {
    plane.media.isDown = true
    const body = booking({ now: plane.now })
    const failed = await tenant.post('/rooms', body)
    expect(failed).toMatchObject({ status: 502, code: 'RTC_PROVISION_FAILED' })
    expect(await rowsOf(tenant.tenantId)).toEqual({ rooms: 0, sessions: 0 })

    plane.media.isDown = false
    expect((await tenant.post('/rooms', body)).status).toBe(201)
  })

  // contract: createRoom › A media room that was made in spite of a failure is removed
  test('after it made the media room, a job removes that', async () => {
    plane.media.onCall = (call) => {
      const name = call.split(' ')[1] ?? ''
      plane.media.rooms.set(name, { sid: 'RM_x', spec: { name, emptyTimeoutSec: 1, metadata: {} } })
      throw new MediaError('no answer in time')
    }
    const failed = await tenant.post('/rooms', booking({ now: plane.now }))
    expect(failed).toMatchObject({ status: 502, code: 'RTC_PROVISION_FAILED' })
    expect(await waitingJobs('close-media-room')).toContain([...plane.media.rooms.keys()][0])
  })

  // contract: Error codes › 500 INTERNAL_ERROR, without internal details
  test('on an unforeseen failure, the booking is undone and answers 500 without details', async () => {
    plane.media.onCall = () => {
      throw new TypeError('secret of the inside')
    }
    const failed = await tenant.post('/rooms', booking({ now: plane.now }))
    expect(failed).toMatchObject({ status: 500, code: 'INTERNAL_ERROR' })
    expect(failed.text).not.toContain('secret')
    expect(await rowsOf(tenant.tenantId)).toEqual({ rooms: 0, sessions: 0 })
  })
})

/** Stops a booking between the intention and the provider's answer, for good. */
async function die(body: object, headers: Record<string, string> = {}): Promise<string> {
  const reached = Promise.withResolvers<string>()
  plane.media.onCall = (call) => {
    reached.resolve(call.split(' ')[1] ?? '')
    return new Promise(() => {})
  }
  void tenant.post('/rooms', body, headers)
  const roomId = await reached.promise
  plane.media.onCall = undefined
  return roomId
}

describe('a booking whose process dies', () => {
  test('leaves no visible room', async () => {
    const roomId = await die(booking({ now: plane.now }))
    const [session] = await plane.database.db<
      { id: string }[]
    >`select id from sessions where room_id = ${roomId}`
    expect((await tenant.get(`/rooms/${roomId}`)).status).toBe(404)
    expect((await tenant.get(`/sessions/${session?.id}`)).status).toBe(404)
    expect((await tenant.post(`/rooms/${roomId}/close`)).status).toBe(404)
  })

  // contract: createRoom › A booking whose process dies is never seen, and undone
  test('is undone 15 seconds later, media room first, and its reference is free again', async () => {
    const body = booking({ now: plane.now })
    const roomId = await die(body)
    await plane.media.ensureRoom({ name: roomId, emptyTimeoutSec: 1, metadata: {} })
    const job = undoAbandonedRoomsJob(plane.deps)

    plane.now = new Date(plane.now.getTime() + 14_000)
    await job.run(runOf())
    expect(await rowsOf(tenant.tenantId)).toEqual({ rooms: 1, sessions: 1 })

    plane.now = new Date(plane.now.getTime() + 2_000)
    expect(await job.run(runOf())).toEqual({
      outcome: 'again',
      at: new Date(plane.now.getTime() + 30_000),
    })
    expect(await rowsOf(tenant.tenantId)).toEqual({ rooms: 0, sessions: 0 })
    expect(plane.media.rooms.has(roomId)).toBe(false)
    expect((await tenant.post('/rooms', body)).status).toBe(201)
  })

  test('can be repeated with its Idempotency-Key once the process counts as dead', async () => {
    const body = booking({ now: plane.now })
    const key = { 'idempotency-key': 'of-a-process-that-dies' }
    const roomId = await die(body, key)
    // A dead process does not renew this lease.
    await plane.database.db`
      update idempotency_keys set lease_until = clock_timestamp() + interval '300 milliseconds'
       where key = ${key['idempotency-key']}
    `
    plane.now = new Date(plane.now.getTime() + 16_000)
    const again = await tenant.post('/rooms', body, key)
    expect(again.status).toBe(201)
    expect(again.data.id).not.toBe(roomId)
    expect(await waitingJobs('close-media-room')).toContain(roomId)
    expect(WAITS.keyLeaseMs).toBeLessThan(15_000)
  })

  test('stays stored while the provider cannot remove its media room', async () => {
    const roomId = await die(booking({ now: plane.now }))
    plane.now = new Date(plane.now.getTime() + 16_000)
    plane.media.isDown = true
    await undoAbandonedRoomsJob(plane.deps).run(runOf())
    expect(await rowsOf(tenant.tenantId)).toEqual({ rooms: 1, sessions: 1 })
    plane.media.isDown = false
    await runJobs(plane.database.db, undoAbandonedRoomsJob(plane.deps))
    expect(await plane.database.db`select 1 from rooms where id = ${roomId}`).toHaveLength(0)
  })

  test('answers 502 when its process continues after the undo, and leaves no media room', async () => {
    plane.media.onCall = async (call) => {
      if (call.startsWith('ensureRoom'))
        await plane.database.db`delete from rooms where id = ${call.split(' ')[1]!}`
    }
    const late = await tenant.post('/rooms', booking({ now: plane.now }))
    expect(late).toMatchObject({ status: 502, code: 'RTC_PROVISION_FAILED' })
    expect(await waitingJobs('close-media-room')).toEqual(
      expect.arrayContaining([...plane.media.rooms.keys()]),
    )
  })

  test('is never undone once the room is finished', async () => {
    const { data } = await tenant.post('/rooms', booking({ now: plane.now }))
    plane.now = new Date(plane.now.getTime() + 3_600_000)
    await undoAbandonedRoomsJob(plane.deps).run(runOf())
    expect((await tenant.get(`/rooms/${data.id}`)).status).toBe(200)
  })
})

describe('bookings of one reference at the same time', () => {
  // contract: Idempotency › Natural key beside the header: one external reference is one Session
  test('of twenty, one makes a room and 19 are duplicates', async () => {
    const body = booking({ now: plane.now })
    const answers = await Promise.all(Array.from({ length: 20 }, () => tenant.post('/rooms', body)))
    const statuses = answers.map((answer) => answer.status).toSorted((a, b) => a - b)
    expect(statuses).toEqual([201, ...Array.from({ length: 19 }, () => 409)])
    expect(plane.media.rooms.size).toBe(1)
    expect(await rowsOf(tenant.tenantId)).toEqual({ rooms: 1, sessions: 1 })
  })

  test('let the second one succeed when the first is undone', async () => {
    const body = booking({ now: plane.now })
    const firstIsAtProvider = Promise.withResolvers<void>()
    const secondWaits = Promise.withResolvers<void>()
    plane.media.onCall = async () => {
      plane.media.onCall = undefined
      firstIsAtProvider.resolve()
      await secondWaits.promise
      throw new MediaError('the provider is down')
    }
    const first = tenant.post('/rooms', body)
    await firstIsAtProvider.promise
    const second = tenant.post('/rooms', body)
    secondWaits.resolve()
    expect((await first).status).toBe(502)
    expect((await second).status).toBe(201)
  })

  test('ask the second one to retry later when the first does not end', async () => {
    const body = booking({ now: plane.now })
    const firstIsAtProvider = Promise.withResolvers<void>()
    plane.media.onCall = () => {
      firstIsAtProvider.resolve()
      return new Promise(() => {})
    }
    void tenant.post('/rooms', body)
    await firstIsAtProvider.promise
    const waits = { ...plane.deps.config.waits, claimMs: 300 }
    const hasty = await createApp({ ...plane.deps, config: { ...plane.deps.config, waits } })
    const second = toAnswer(
      await hasty.inject({
        method: 'POST',
        url: '/api/v1/rooms',
        headers: { authorization: tenant.authorization },
        payload: body,
      }),
    )
    expect(second).toMatchObject({ status: 503, code: 'SERVICE_UNAVAILABLE' })
    expect(second.headers['retry-after']).toBe('10')
    expect(WAITS.claimMs).toBe(6_000)
    await hasty.close()
  })
})
