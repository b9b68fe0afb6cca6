import { randomUUID } from 'node:crypto'
import { describe, expect, test } from 'vitest'
import { undoAbandonedRoomsJob } from '../../domain/booking/undo-abandoned-rooms.job.ts'
import { enqueue } from '../../platform/jobs/enqueue.ts'
import { useControlPlane } from '../../testing/control-plane.ts'
import { runJobs } from '../../testing/run-jobs.ts'

const plane = useControlPlane()
const TWINS = 20

const start = (body?: object, headers = {}) => plane.tenant.post('/connection-tests', body, headers)
const withKey = (key: string) => ({ 'idempotency-key': key })
const idsOf = (items: { id: string }[]) => items.map(({ id }) => id)

describe('POST /connection-tests', () => {
  // contract: Fields of a ConnectionTest › `id`, `room_id`, `external_type`, `external_id`, `name`,
  //   `status`, `connect_url`, `expires_at`, `created_at`
  // contract: Fields of a ConnectionTest › `started_at`, `completed_at`, `measured_sec`,
  //   `failure_reason`; null until then
  // contract: Fields of a ConnectionTest › `client`, `devices`, `baseline`, `load`, `summary`; null
  //   until measured
  // contract: Fields of a ConnectionTest › `provider_inspector_url`, `recordings`
  // contract: States of a ConnectionTest › (none) → pending by POST
  // contract: startConnectionTest › 201 with `Location`, pending
  // contract: startConnectionTest › 24 hours by default (`CONNECTION_TEST_LIFE_DEFAULT_SEC`)
  test('starts a pending test and answers 201 with its Location', async () => {
    const answer = await start({
      external_type: 'User',
      external_id: '90210',
      name: 'P-07',
      locale: 'ja',
    })
    const { id } = answer.data
    expect(answer.status).toBe(201)
    expect(answer.headers['location']).toBe(`/api/v1/connection-tests/${id}`)
    expect(answer.data).toEqual({
      id: expect.stringMatching(/^[0-9a-f-]{36}$/),
      room_id: expect.stringMatching(/^[0-9a-f-]{36}$/),
      external_type: 'User',
      external_id: '90210',
      name: 'P-07',
      status: 'pending',
      connect_url: expect.stringMatching(
        new RegExp(`^https://rooms\\.test/t/${id}#ticket=[A-Za-z0-9_-]{43}$`),
      ),
      expires_at: new Date(plane.now.getTime() + 86_400_000).toISOString(),
      started_at: null,
      completed_at: null,
      measured_sec: null,
      client: null,
      devices: null,
      baseline: null,
      load: null,
      summary: null,
      failure_reason: null,
      provider_inspector_url: null,
      recordings: [],
      created_at: expect.stringMatching(/Z$/),
    })
  })

  // contract: Fields of a Room › `session` is null for a connection_test room
  // contract: startConnectionTest › A Room of kind connection_test with its own media room;
  //   `stream_resolution`, `stream_frame_rate`
  test('makes a room of kind connection_test without a session, with a media room of its own', async () => {
    const { data } = await start({ stream_resolution: '640x480', stream_frame_rate: 30 })
    const room = await plane.tenant.get(`/rooms/${data.room_id}`)
    expect(room.data).toMatchObject({
      kind: 'connection_test',
      status: 'open',
      session: null,
      stream_resolution: '640x480',
      stream_frame_rate: 30,
      archive_mode: 'manual',
    })
    expect(plane.media.rooms.has(data.room_id)).toBe(true)
  })

  // contract: startConnectionTest › The body is optional
  test('without a body, or with an empty one, starts a test without a subject', async () => {
    for (const body of [undefined, {}]) {
      const { status, data } = await start(body)
      expect([status, data.external_type, data.external_id, data.name]).toEqual([
        201,
        null,
        null,
        null,
      ])
    }
  })

  test('keeps a number as its digits, and the lines of a name', async () => {
    const { data } = await start({ external_type: 'User', external_id: -42, name: 'a\nb\u0007' })
    expect([data.external_id, data.name]).toEqual(['-42', 'a\nb'])
    const found = await plane.tenant.get('/connection-tests?external_type=User&external_id=-42')
    expect(found.data.items).toHaveLength(1)
  })

  // contract: startConnectionTest › `expires_in_seconds`
  test('lives as long as requested', async () => {
    const { data } = await start({ expires_in_seconds: 600 })
    expect(data.expires_at).toBe(new Date(plane.now.getTime() + 600_000).toISOString())
  })

  // contract: startConnectionTest › One reference may be tested again
  test('may be started for the same reference again and again', async () => {
    const ref = { external_type: 'User', external_id: 'again' }
    const [one, two] = [await start(ref), await start(ref)]
    expect(one.data.id).not.toBe(two.data.id)
    expect(one.data.room_id).not.toBe(two.data.room_id)
  })

  // contract: startConnectionTest › `record`
  test('is recorded automatically when requested', async () => {
    const { data } = await start({ record: true })
    expect((await plane.tenant.get(`/rooms/${data.room_id}`)).data.archive_mode).toBe('always')
  })

  // contract: startConnectionTest › 400 INVALID_REQUEST: `external_type` and `external_id` are a
  //   pair of at most 64 characters each
  // contract: startConnectionTest › 400 INVALID_REQUEST: `name`, `locale`, `stream_resolution`,
  //   `stream_frame_rate`, `record`, unknown members
  // contract: startConnectionTest › 400 INVALID_REQUEST: `expires_in_seconds` is 60
  //   (`CONNECTION_TEST_LIFE_MIN_SEC`) to 604800 (`CONNECTION_TEST_LIFE_MAX_SEC`)
  test.each([
    [{ external_type: 'User' }, ['external_id', 'PAIR_REQUIRED']],
    [{ external_id: '1' }, ['external_type', 'PAIR_REQUIRED']],
    [{ external_type: 'User', external_id: '' }, ['external_id', 'TOO_SHORT']],
    [{ external_type: 'x'.repeat(65), external_id: '1' }, ['external_type', 'TOO_LONG']],
    [{ external_type: 'User', external_id: 'a\nb' }, ['external_id', 'INVALID_FORMAT']],
    [{ external_type: 'User', external_id: 7.5 }, ['external_id', 'INVALID_TYPE']],
    [{ external_type: 'User', external_id: true }, ['external_id', 'INVALID_TYPE']],
    [{ name: 'x'.repeat(256) }, ['name', 'TOO_LONG']],
    [{ locale: 'fr' }, ['locale', 'INVALID_ENUM']],
    [{ stream_resolution: '1x1' }, ['stream_resolution', 'INVALID_ENUM']],
    [{ stream_frame_rate: '30' }, ['stream_frame_rate', 'INVALID_TYPE']],
    [{ record: 'yes' }, ['record', 'INVALID_TYPE']],
    [{ expires_in_seconds: 59 }, ['expires_in_seconds', 'OUT_OF_RANGE']],
    [{ expires_in_seconds: 604_801 }, ['expires_in_seconds', 'OUT_OF_RANGE']],
    [{ expires_in_seconds: 60.5 }, ['expires_in_seconds', 'INVALID_TYPE']],
    [{ kind: 'interview' }, ['kind', 'UNKNOWN_FIELD']],
  ])('with %j is 400 INVALID_REQUEST, and makes nothing', async (body, detail) => {
    const rooms = plane.media.rooms.size
    const refused = await start(body)
    expect([refused.status, refused.code, refused.details]).toEqual([
      400,
      'INVALID_REQUEST',
      [detail],
    ])
    expect(plane.media.rooms.size).toBe(rooms)
  })

  // contract: startConnectionTest › 502 RTC_PROVISION_FAILED, and nothing is left
  test('without a media room is 502 RTC_PROVISION_FAILED, and nothing is there', async () => {
    const before = await plane.tenant.get('/connection-tests?limit=100')
    plane.media.isDown = true
    const refused = await start({ external_type: 'User', external_id: 'unlucky' })
    plane.media.isDown = false
    expect([refused.status, refused.code]).toEqual([502, 'RTC_PROVISION_FAILED'])
    expect((await plane.tenant.get('/connection-tests?limit=100')).text).toBe(before.text)
    expect(await plane.database.db`select 1 from rooms where media_room_sid is null`).toEqual([])
  })

  test('whose process dies in between leaves nothing, because a job undoes it', async () => {
    const { db } = plane.database
    const id = randomUUID()
    await db`
      insert into rooms (id, tenant_id, kind, archive_mode, archive_resolution, stream_resolution,
                         stream_frame_rate, transcription_language, transcription_service, created_at)
      values (${id}, ${plane.tenant.tenantId}, 'connection_test', 'manual', '640x480', '320x240', 15,
              'ja-JP', 'engine_c', ${new Date(plane.now.getTime() - 120_000)})
    `
    expect((await plane.tenant.get(`/rooms/${id}`)).status).toBe(404)
    const job = undoAbandonedRoomsJob(plane.deps)
    await enqueue(db, { kind: job.kind, key: 'all' })
    await runJobs(db, job)
    expect(await db`select 1 from rooms where id = ${id}`).toEqual([])
  })
})

describe('Idempotency-Key of POST /connection-tests', () => {
  // contract: Idempotency › Connection tests: 20 concurrent requests with one key make one
  test('makes 20 twins one test with one media room and one answer', async () => {
    const key = randomUUID()
    const ref = { external_type: 'User', external_id: key }
    const rooms = plane.media.rooms.size
    const answers = await Promise.all(Array.from({ length: TWINS }, () => start(ref, withKey(key))))
    expect(answers.map(({ status }) => status)).toEqual(Array.from({ length: TWINS }, () => 201))
    expect(new Set(answers.map(({ text }) => text)).size).toBe(1)
    expect(new Set(answers.map(({ headers }) => headers['location'])).size).toBe(1)
    const replayed = answers.filter(({ headers }) => headers['idempotent-replayed'] === 'true')
    expect(replayed).toHaveLength(TWINS - 1)
    expect(plane.media.rooms.size).toBe(rooms + 1)
    const { data } = await plane.tenant.get(
      `/connection-tests?external_type=User&external_id=${key}`,
    )
    expect(data.items).toHaveLength(1)
  })

  // contract: startConnectionTest › Idempotency-Key: 422 IDEMPOTENCY_KEY_CONFLICT for another body
  test('with another body is 422 IDEMPOTENCY_KEY_CONFLICT', async () => {
    const key = randomUUID()
    await start({ name: 'one' }, withKey(key))
    const refused = await start({ name: 'two' }, withKey(key))
    expect([refused.status, refused.code]).toEqual([422, 'IDEMPOTENCY_KEY_CONFLICT'])
  })

  test('after 502 RTC_PROVISION_FAILED really tries again', async () => {
    const key = randomUUID()
    plane.media.isDown = true
    const failed = await start({}, withKey(key))
    plane.media.isDown = false
    expect([failed.status, (await start({}, withKey(key))).status]).toEqual([502, 201])
  })
})

describe('GET /connection-tests', () => {
  // contract: listConnectionTests › 200, list of ConnectionTests, created_at descending, `cursor`,
  //   `limit`
  test('lists newest first, and walks through all of them once', async () => {
    const external_id = randomUUID()
    const made: string[] = []
    for (let n = 0; n < 5; n += 1) {
      made.push((await start({ external_type: 'User', external_id })).data.id)
    }
    const seen: string[] = []
    const path = `/connection-tests?external_type=User&external_id=${external_id}&limit=2`
    let cursor: string | null = ''
    while (cursor !== null) {
      const { data } = await plane.tenant.get(`${path}${cursor && `&cursor=${cursor}`}`)
      seen.push(...idsOf(data.items))
      cursor = data.next_cursor
    }
    expect(seen).toEqual(made.toReversed())
  })

  // contract: listConnectionTests › Filter by the pair `external_type`, `external_id`; none is
  //   missed
  test('misses none that was started at the same time as others', async () => {
    const external_id = randomUUID()
    const answers = await Promise.all(
      Array.from({ length: TWINS }, () => start({ external_type: 'User', external_id })),
    )
    const { data } = await plane.tenant.get(
      `/connection-tests?external_type=User&external_id=${external_id}&limit=100`,
    )
    expect(idsOf(data.items).toSorted()).toEqual(
      answers.map((answer) => answer.data.id as string).toSorted(),
    )
    const times = data.items.map((item: { created_at: string }) => item.created_at)
    expect(new Set(times).size).toBe(TWINS)
    expect(times).toEqual(times.toSorted().toReversed())
  })

  // contract: listConnectionTests › Filter `status`
  test('filters by status', async () => {
    const external_id = randomUUID()
    const { data } = await start({ external_type: 'User', external_id, expires_in_seconds: 60 })
    const path = `/connection-tests?external_type=User&external_id=${external_id}&status=`
    const before = plane.now
    const [pending, none] = [
      await plane.tenant.get(`${path}pending`),
      await plane.tenant.get(`${path}expired`),
    ]
    plane.now = new Date(before.getTime() + 60_000)
    const [gone, expired] = [
      await plane.tenant.get(`${path}pending`),
      await plane.tenant.get(`${path}expired`),
    ]
    plane.now = before
    expect([pending, none, gone, expired].map((answer) => idsOf(answer.data.items))).toEqual([
      [data.id],
      [],
      [],
      [data.id],
    ])
  })

  // contract: listConnectionTests › 400 INVALID_REQUEST: half a pair, enum, `limit`, `cursor`,
  //   unknown parameters
  test.each([
    ['external_type=User', ['external_id', 'PAIR_REQUIRED']],
    ['external_id=1', ['external_type', 'PAIR_REQUIRED']],
    ['status=done', ['status', 'INVALID_ENUM']],
    ['limit=0', ['limit', 'OUT_OF_RANGE']],
    ['cursor=x', ['cursor', 'INVALID_FORMAT']],
    ['name=x', ['name', 'UNKNOWN_FIELD']],
  ])('with %s is 400 INVALID_REQUEST', async (query, detail) => {
    const refused = await plane.tenant.get(`/connection-tests?${query}`)
    expect([refused.status, refused.code, refused.details]).toEqual([
      400,
      'INVALID_REQUEST',
      [detail],
    ])
  })

  // contract: listConnectionTests › A cursor of another filter: 400 INVALID_REQUEST
  test('takes no cursor of another filter', async () => {
    for (let n = 0; n < 2; n += 1) await start({})
    const { data } = await plane.tenant.get('/connection-tests?limit=1&status=pending')
    const refused = await plane.tenant.get(`/connection-tests?cursor=${data.next_cursor}`)
    expect(refused.details).toEqual([['cursor', 'INVALID_FORMAT']])
  })

  // contract: startConnectionTest › Other tenant: starts and sees its own only
  // contract: listConnectionTests › Other tenant: sees its own only
  test('never shows a test of another tenant, with the same reference neither', async () => {
    const ref = { external_type: 'User', external_id: randomUUID() }
    await start(ref)
    const path = `/connection-tests?external_type=User&external_id=${ref.external_id}`
    expect((await plane.other.get(path)).data.items).toEqual([])
    await plane.other.post('/connection-tests', ref)
    expect((await plane.other.get(path)).data.items).toHaveLength(1)
    expect((await plane.tenant.get(path)).data.items).toHaveLength(1)
  })
})

describe.each(['', '/result'])('GET /connection-tests/{connection_test_id}%s', (path) => {
  // contract: getConnectionTest, getConnectionTestResult › 200 ConnectionTest
  test('answers the test as it was started', async () => {
    const { data } = await start({ name: 'P-08' })
    const answer = await plane.tenant.get(`/connection-tests/${data.id}${path}`)
    expect([answer.status, answer.data]).toEqual([200, data])
  })

  // contract: getConnectionTest › Expired from `expires_at` on, to the millisecond
  test('calls a test expired from its expires_at on', async () => {
    const { data } = await start({ expires_in_seconds: 60 })
    const before = plane.now
    const seen: string[] = []
    for (const ms of [59_999, 60_000]) {
      plane.now = new Date(before.getTime() + ms)
      seen.push((await plane.tenant.get(`/connection-tests/${data.id}${path}`)).data.status)
    }
    plane.now = before
    expect(seen).toEqual(['pending', 'expired'])
  })

  // contract: Fields of a ConnectionTest › `recordings`: `id`, `status`, `duration_sec`
  test('shows the recordings of its room', async () => {
    const { data } = await start({})
    const id = randomUUID()
    await plane.database.db`
      insert into recordings (id, tenant_id, room_id, seq, provider_archive_id, status, output_mode,
                              created_at, updated_at)
      values (${id}, ${plane.tenant.tenantId}, ${data.room_id}, 1, 'EG_1', 'started', 'composed',
              now(), now())
    `
    const answer = await plane.tenant.get(`/connection-tests/${data.id}${path}`)
    expect(answer.data.recordings).toEqual([{ id, status: 'started', duration_sec: null }])
  })

  test('shows no recording that the API does not have: one that never began, or is about to', async () => {
    const { data } = await start({})
    const room = await plane.database.db`
      insert into recordings (id, tenant_id, room_id, seq, status, output_mode, created_at,
                              updated_at)
      select id, ${plane.tenant.tenantId}, ${data.room_id}, seq, status, 'composed', now(), now()
        from (values (gen_random_uuid(), 1, 'failed'), (gen_random_uuid(), 2, 'started'))
          as given (id, seq, status)
      returning room_id
    `
    expect(room).toHaveLength(2)
    expect((await plane.tenant.get(`/rooms/${data.room_id}/recordings`)).data.items).toEqual([])
    const answer = await plane.tenant.get(`/connection-tests/${data.id}${path}`)
    expect(answer.data.recordings).toEqual([])
  })

  // contract: getConnectionTest, getConnectionTestResult › Other tenant: 404 NOT_FOUND
  test('of another tenant answers byte for byte like an unknown and a malformed id', async () => {
    const { data } = await start({})
    const foreign = await plane.other.get(`/connection-tests/${data.id}${path}`)
    const unknown = await plane.tenant.get(`/connection-tests/${randomUUID()}${path}`)
    const malformed = await plane.tenant.get(`/connection-tests/7${path}`)
    expect([foreign.status, foreign.code]).toEqual([404, 'NOT_FOUND'])
    expect([unknown.text, malformed.text]).toEqual([foreign.text, foreign.text])
  })
})

// contract: Fields of a ConnectionTest › `provider_inspector_url` as that of a Room
test('provider_inspector_url follows the same setting as that of a room', async () => {
  const { livekit } = plane.deps.config
  const before = livekit.inspectorUrl
  livekit.inspectorUrl = 'https://inspect.test/{sid}'
  const { data } = await start({})
  const room = await plane.tenant.get(`/rooms/${data.room_id}`)
  livekit.inspectorUrl = before
  expect(data.provider_inspector_url).toMatch(/^https:\/\/inspect\.test\/RM_/)
  expect(data.provider_inspector_url).toBe(room.data.provider_inspector_url)
})
