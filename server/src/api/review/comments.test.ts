import { randomUUID } from 'node:crypto'
import { COMMENT_MAX, COMMENTS_MAX } from '@interview-room/contract/limits.ts'
import { beforeAll, describe, expect, test } from 'vitest'
import { createApp } from '../../app.ts'
import { expireRecordingsOfRoom } from '../../domain/recording/delete-recording.ts'
import { sweepRevokedTokensJob } from '../../domain/recording/reviews/sweep-revoked-tokens.job.ts'
import { inTransaction } from '../../platform/db/db.ts'
import { type ActingTenant, createActingTenant } from '../../testing/acting-tenant.ts'
import { useControlPlane } from '../../testing/control-plane.ts'
import { addRecordedRoom, addRecording, jobRun } from '../../testing/recordings.ts'
import { callAsViewer, type ViewerRequest } from '../../testing/viewer-calls.ts'

const plane = useControlPlane()
let acting: ActingTenant
let roomId: string
let recordingId: string

beforeAll(async () => {
  acting = await createActingTenant(plane.deps, plane.tenant.tenantId)
  ;({ roomId, recordingId } = await addRecordedRoom(plane))
})

type Sent = Omit<ViewerRequest, 'token'>

const call = async (method: 'GET' | 'POST', path: string, sent: ViewerRequest) =>
  callAsViewer(plane.app, [method, path], sent)

const HOUR = 3600
const now = () => Math.floor(plane.now.getTime() / 1000)
const commentsOf = (id: string) => `/recordings/${id}/comments`
const ofRoom = (claims: Record<string, unknown> = {}) =>
  acting.signViewerToken({ room_id: roomId, ...claims })
const comment = async (body: unknown, { token, ...sent }: Sent & { token?: string } = {}) =>
  call('POST', commentsOf(recordingId), { token: token ?? (await ofRoom()), body, ...sent })

describe('a comment', () => {
  // contract: createComment › `end_sec`: of a range, whose end is after `offset_sec` and not after the end of the recording
  test('is about a range', async () => {
    const ranged = await comment({ text: 'All of it', offset_sec: 10, end_sec: 20.5 })
    expect(ranged.data).toMatchObject({ offset_sec: 10, end_sec: 20.5 })
    const refused = [
      [{ offset_sec: 10, end_sec: 10 }, 'TRIM_RANGE_INVALID'],
      [{ end_sec: 10 }, 'TRIM_RANGE_INVALID'],
      [{ offset_sec: 10, end_sec: 61 }, 'EXCEEDS_DURATION'],
    ] as const
    for (const [range, code] of refused) {
      const answer = await comment({ text: 'x', ...range })
      expect(answer.details).toEqual([['end_sec', code]])
    }
  })

  // contract: createComment › `reply_to`: answers a comment on the same recording that answers none, without a place
  // contract: createComment › 422 VALIDATION_ERROR, `NOT_ALLOWED`, for any other answer
  test('is answered, and an answer is not', async () => {
    const first = await comment({ text: 'Why?', offset_sec: 3 })
    const answer = await comment({ text: 'Because', reply_to: first.data.id })
    expect(answer.data).toMatchObject({ reply_to: first.data.id, offset_sec: null })
    const elsewhere = await addRecording(plane, roomId)
    const foreign = await call('POST', commentsOf(elsewhere), {
      token: await ofRoom(),
      body: { text: 'x' },
    })
    for (const id of [answer.data.id, foreign.data.id, randomUUID()]) {
      const refused = await comment({ text: 'x', reply_to: id })
      expect([refused.status, refused.details]).toEqual([422, [['reply_to', 'NOT_ALLOWED']]])
    }
    const placed = await comment({ text: 'x', reply_to: first.data.id, offset_sec: 3 })
    expect(placed.details).toEqual([['offset_sec', 'NOT_ALLOWED']])
  })

  // contract: createComment › 201 Comment: `id`, `recording_id`, `viewer` with `reference` and `name`,
  //   `offset_sec`, `end_sec`, `reply_to`, `text`, `is_resolved`, `created_at`
  // contract: listComments › 200, list of Comments with `reply_to` and `is_resolved`, oldest first, `cursor`, `limit`
  // contract: createComment › `text`, `offset_sec`: of a place, or of all of the recording
  test('is read by everybody who may comment on the recording, oldest first, page by page', async () => {
    const id = await addRecording(plane, roomId)
    const one = await acting.signViewerToken({ recording_id: id })
    const other = await ofRoom({ sub: 'client-7', name: 'クライアント' })
    const first = await call('POST', commentsOf(id), {
      token: one,
      body: { text: 'She reads\nthe label twice.\u0007', offset_sec: 60.5 },
    })
    expect(first.status).toBe(201)
    expect(first.data).toEqual({
      id: expect.any(String),
      recording_id: id,
      viewer: { reference: 'researcher-1', name: 'Sato' },
      offset_sec: 60.5,
      end_sec: null,
      reply_to: null,
      is_resolved: false,
      text: 'She reads\nthe label twice.',
      created_at: expect.stringMatching(/Z$/),
      updated_at: null,
    })
    const second = await call('POST', commentsOf(id), {
      token: other,
      body: { text: 'Good', offset_sec: null },
    })
    expect(second.data).toMatchObject({ offset_sec: null, viewer: { reference: 'client-7' } })
    const page = await call('GET', `${commentsOf(id)}?limit=1`, { token: other })
    expect(page.data).toEqual({
      items: [first.data],
      next_cursor: expect.any(String),
      has_more: true,
    })
    const cursor = String(page.data.next_cursor)
    const next = await call('GET', `${commentsOf(id)}?cursor=${cursor}`, { token: one })
    expect(next.data).toEqual({ items: [second.data], next_cursor: null, has_more: false })
    const elsewhere = await call('GET', `${commentsOf(recordingId)}?cursor=${cursor}`, {
      token: other,
    })
    expect(elsewhere.details).toEqual([['cursor', 'INVALID_FORMAT']])
  })

  // contract: createComment › A repeat under its Idempotency-Key answers the first one; of another viewer, the key
  //   is 422 IDEMPOTENCY_KEY_CONFLICT
  test('is made once under its Idempotency-Key, which is of one viewer', async () => {
    const headers = { 'idempotency-key': randomUUID() }
    const body = { text: 'Once' }
    const first = await comment(body, { headers })
    const repeat = await comment(body, { headers })
    expect([repeat.status, repeat.data]).toEqual([201, first.data])
    const token = await ofRoom({ sub: 'client-7' })
    expect((await comment(body, { headers, token })).code).toBe('IDEMPOTENCY_KEY_CONFLICT')
  })

  // contract: createComment › 400 INVALID_REQUEST for fields; 422 VALIDATION_ERROR, `EXCEEDS_DURATION`, for a place
  //   after the end
  // contract: Limits › A comment on a recording has `COMMENT_MAX` characters
  test.each([
    ['without text', {}, [400, 'text', 'REQUIRED']],
    ['of an empty text', { text: '' }, [400, 'text', 'TOO_SHORT']],
    ['of nothing but control characters', { text: '\u0007' }, [400, 'text', 'INVALID_FORMAT']],
    ['that is too long', { text: 'x'.repeat(COMMENT_MAX + 1) }, [400, 'text', 'TOO_LONG']],
    ['of a number', { text: 5 }, [400, 'text', 'INVALID_TYPE']],
    ['before the beginning', { text: 'x', offset_sec: -1 }, [400, 'offset_sec', 'OUT_OF_RANGE']],
    ['on a place as text', { text: 'x', offset_sec: '1' }, [400, 'offset_sec', 'INVALID_TYPE']],
    ['with somebody else', { text: 'x', viewer: 'me' }, [400, 'viewer', 'UNKNOWN_FIELD']],
    ['after the end', { text: 'x', offset_sec: 60.6 }, [422, 'offset_sec', 'EXCEEDS_DURATION']],
  ])('%s is refused', async (_what, body, [status, ...detail]) => {
    const refused = await comment(body)
    expect([refused.status, refused.details]).toEqual([status, [detail]])
  })

  test('of the greatest length is taken, counted in characters', async () => {
    expect((await comment({ text: '🎙'.repeat(COMMENT_MAX) })).status).toBe(201)
  })

  // contract: createComment › 409 RECORDING_NOT_AVAILABLE unless it is available
  test.each(['started', 'stopped', 'failed', 'expired'] as const)(
    'on a recording that is %s is 409 RECORDING_NOT_AVAILABLE',
    async (status) => {
      const id = await addRecording(plane, roomId, { status })
      const answer = await call('POST', commentsOf(id), {
        token: await ofRoom(),
        body: { text: 'x' },
      })
      expect([answer.status, answer.code]).toEqual([409, 'RECORDING_NOT_AVAILABLE'])
      const list = await call('GET', commentsOf(id), { token: await ofRoom() })
      expect(list.data.items).toEqual([])
    },
  )

  // contract: Limits › A recording has `COMMENTS_MAX` comments
  // contract: createComment › 422 VALIDATION_ERROR, `QUOTA_EXCEEDED`, beyond those that a recording may have
  test('beyond those that a recording may have is 422, and twenty at the same moment are all there', async () => {
    const id = await addRecording(plane, roomId)
    const token = await ofRoom()
    await plane.database.db`
      insert into recording_comments (id, tenant_id, recording_id, seq, viewer_reference, viewer_name,
                                      text, created_at)
      select gen_random_uuid(), ${plane.tenant.tenantId}, ${id}, -n, 'a', 'a', 'a', now()
        from generate_series(1, ${COMMENTS_MAX - 20}) as n
    `
    const body = { text: 'x' }
    const answers = await Promise.all(
      Array.from({ length: 22 }, async () => call('POST', commentsOf(id), { token, body })),
    )
    const refused = answers.filter(({ status }) => status !== 201)
    expect(refused.map(({ status, details }) => [status, details])).toEqual(
      Array.from({ length: 2 }, () => [422, [['body', 'QUOTA_EXCEEDED']]]),
    )
  })

  // contract: createComment › Deleted together with the recording, and with its file
  test('goes with its recording, and with its file', async () => {
    const deleted = await addRecordedRoom(plane)
    const expired = await addRecordedRoom(plane)
    for (const each of [deleted, expired]) {
      const token = await acting.signViewerToken({ recording_id: each.recordingId })
      await call('POST', commentsOf(each.recordingId), { token, body: { text: 'x' } })
    }
    await plane.tenant.send({ method: 'DELETE', url: `/api/v1/recordings/${deleted.recordingId}` })
    const key = { tenantId: plane.tenant.tenantId, roomId: expired.roomId }
    await inTransaction(plane.database.db, (tx) => expireRecordingsOfRoom(tx, key, plane.now))
    const ids = [deleted.recordingId, expired.recordingId]
    const rows = await plane.database.db`
      select 1 from recording_comments where recording_id = any(${ids})
    `
    expect(rows).toHaveLength(0)
  })

  // contract: listComments › 200 for an API key, too
  // contract: createComment › 401 UNAUTHORIZED for an API key
  test('is read by the API key, which cannot write one', async () => {
    const written = await comment({ text: 'For the backend, too' })
    const { data } = await plane.tenant.get(`${commentsOf(recordingId)}?limit=100`)
    expect(data.items).toContainEqual(written.data)
    expect((await plane.tenant.post(commentsOf(recordingId), { text: 'x' })).status).toBe(401)
  })
})

describe('a viewer token', () => {
  test.each([
    ['of the recording', () => ({ room_id: undefined, recording_id: recordingId })],
    ['of its room, in capitals', () => ({ room_id: roomId.toUpperCase() })],
    ['for thirty days', () => ({ iat: now(), exp: now() + 30 * 24 * HOUR })],
    ['with claims that nobody knows', () => ({ color: 'green' })],
    ['with a reference of 64 characters', () => ({ sub: '研'.repeat(64) })],
  ])('%s opens its comments', async (_what, claims) => {
    const answer = await call('GET', commentsOf(recordingId), { token: await ofRoom(claims()) })
    expect(answer.status).toBe(200)
  })

  // contract: listComments › 401 UNAUTHORIZED for a viewer token that is not as documented, or does not allow it
  // contract: createComment › 401 UNAUTHORIZED for a viewer token that is not as documented, or does not allow it
  // contract: Limits › A viewer token lives for `VIEWER_TOKEN_MAX_LIFE_SEC`, and has a `jti` of `VIEWER_TOKEN_ID_MAX`
  //   characters
  test.each([
    ['without sub', () => ({ sub: undefined })],
    ['with a sub of 65 characters', () => ({ sub: 'x'.repeat(65) })],
    ['with a line break in sub', () => ({ sub: 'a\nb' })],
    ['without a name', () => ({ name: ' ' })],
    ['without jti', () => ({ jti: undefined })],
    ['with a blank in jti', () => ({ jti: 'a b' })],
    ['with a jti of 129 characters', () => ({ jti: 'x'.repeat(129) })],
    ['of nothing', () => ({ room_id: undefined })],
    ['of a room and a recording', () => ({ recording_id: recordingId })],
    ['of no id', () => ({ room_id: 'x' })],
    ['that may nothing', () => ({ may: [] })],
    ['that may something unknown', () => ({ may: ['comment', 'delete'] })],
    ['that may watch alone', () => ({ may: ['watch'] })],
    ['with a word in place of a list', () => ({ may: 'comment' })],
    ['for another service', () => ({ aud: 'https://elsewhere.example.com' })],
    ['for more than thirty days', () => ({ iat: now(), exp: now() + 30 * 24 * HOUR + 1 })],
    ['that has expired', () => ({ iat: now() - 2 * HOUR, exp: now() - HOUR })],
    ['of another tenant', () => ({ iss: plane.other.tenantId })],
  ])('%s is 401', async (_what, claims) => {
    const answer = await call('GET', commentsOf(recordingId), { token: await ofRoom(claims()) })
    expect([answer.status, answer.code]).toEqual([401, 'UNAUTHORIZED'])
    expect(answer.headers['www-authenticate']).toBe('ApiKey, Bearer')
  })

  test('is no participant token, nor the other way round', async () => {
    const { id } = await plane.book({ startsInMin: 1 })
    const entry = await call('POST', `/rooms/${id}/live/entry`, {
      token: await acting.signViewerToken({ room_id: id, role: 'moderator' }),
      body: {},
    })
    expect(entry.status).toBe(401)
    const claims = { sub: 'researcher-1', jti: 'x', may: ['comment'] }
    const token = await acting.signToken({ roomId, ...claims })
    expect((await call('GET', commentsOf(recordingId), { token })).status).toBe(401)
  })

  // contract: listComments › 404 NOT_FOUND for a recording that the token is not about
  // contract: createComment › 404 NOT_FOUND for a recording that the token is not about
  test('of another recording or room answers like one for a recording that is not there', async () => {
    const elsewhere = await addRecordedRoom(plane)
    const sibling = await addRecording(plane, roomId)
    const asked = [
      [elsewhere.recordingId, await ofRoom()],
      [sibling, await acting.signViewerToken({ recording_id: recordingId })],
      [randomUUID(), await ofRoom()],
    ] as const
    const answers = []
    for (const [id, token] of asked) answers.push(await call('GET', commentsOf(id), { token }))
    expect(answers.map(({ status }) => status)).toEqual([404, 404, 404])
    expect(new Set(answers.map(({ text }) => text)).size).toBe(1)
  })

  // contract: getRecordingTimeline › A viewer token that may `watch` works in place of the API key
  // contract: getRecordingDownloadUrl › A viewer token that may `download` works in place of the API key
  test.each([
    ['timeline', 'watch'],
    ['download-url', 'download'],
  ])('opens the %s of its recording if it may %s', async (what, ability) => {
    const path = `/recordings/${recordingId}/${what}`
    const opened = await call('GET', path, { token: await ofRoom({ may: [ability] }) })
    expect(opened.status).toBe(200)
    expect(opened.headers['ratelimit-limit']).toBeUndefined()
    const lacking = await call('GET', path, { token: await ofRoom({ may: ['comment', 'clip'] }) })
    expect(lacking.status).toBe(401)
    expect(lacking.headers['www-authenticate']).toBe('ApiKey, Bearer')
    const elsewhere = await acting.signViewerToken({ recording_id: randomUUID(), may: [ability] })
    expect((await call('GET', path, { token: elsewhere })).status).toBe(404)
    expect((await plane.tenant.get(path)).status).toBe(200)
  })

  test('opens nothing else of the control plane', async () => {
    const token = await ofRoom({ may: ['watch', 'comment', 'clip', 'download'] })
    const paths = [`/recordings/${recordingId}`, `/rooms/${roomId}`, `/rooms/${roomId}/recordings`]
    for (const path of paths) expect((await call('GET', path, { token })).status).toBe(401)
  })

  // contract: revokeViewerToken › 204, and every token of this `jti` is 401 within a second; a repeat is 204
  // contract: revokeViewerToken › 400 INVALID_REQUEST for `jti`
  test('that is revoked opens nothing any more, and the revocation is kept for longer than a token lives', async () => {
    const jti = randomUUID()
    const token = await ofRoom({ jti })
    const read = async () => (await call('GET', commentsOf(recordingId), { token })).status
    expect(await read()).toBe(200)
    const manager = plane.tenant
    for (const _ of ['first', 'repeat']) {
      expect((await manager.post('/viewer-tokens/revoke', { jti })).status).toBe(204)
    }
    plane.now = new Date(plane.now.getTime() + 1000)
    expect(await read()).toBe(401)
    const refused = await manager.post('/viewer-tokens/revoke', { jti: 'a b' })
    expect(refused.details).toEqual([['jti', 'INVALID_FORMAT']])
    const sweep = sweepRevokedTokensJob(plane.deps)
    await sweep.run(jobRun(plane))
    expect(await read()).toBe(401)
    plane.now = new Date(plane.now.getTime() + 61 * 24 * HOUR * 1000)
    await sweep.run(jobRun(plane))
    const rows = await plane.database.db`select 1 from revoked_viewer_tokens where jti = ${jti}`
    expect(rows).toHaveLength(0)
  })
})

describe('a page of another origin', () => {
  test('may ask with a viewer token, and read the answer', async () => {
    const url = `/api/v1${commentsOf(recordingId)}`
    const asked = await plane.app.inject({
      method: 'OPTIONS',
      url,
      headers: {
        origin: 'https://research.example.com',
        'access-control-request-method': 'POST',
        'access-control-request-headers': 'authorization,content-type,x-request-id',
      },
    })
    expect(asked.statusCode).toBe(204)
    expect(asked.headers).toMatchObject({
      'access-control-allow-origin': '*',
      'access-control-allow-methods': 'GET, POST, PUT, PATCH, DELETE',
      'access-control-allow-headers':
        'authorization, content-type, idempotency-key, if-match, traceparent, x-request-id',
    })
    for (const token of [await ofRoom(), 'x.y.z']) {
      const answer = await call('GET', commentsOf(recordingId), { token })
      expect(answer.headers['access-control-allow-origin']).toBe('*')
    }
  })

  test('reads the address of its new comment, and when to ask again', async () => {
    const { headers } = await comment({ text: 'x' }, { headers: { 'idempotency-key': 'page-1' } })
    const names = 'etag, idempotent-replayed, location, retry-after, x-request-id'
    expect(headers['access-control-expose-headers']).toBe(names)
  })

  test('can read refusals that come before the token is checked', async () => {
    const url = `/api/v1${commentsOf(recordingId)}`
    const config = { ...plane.deps.config, requestsMax: 0 }
    const busy = await createApp({ ...plane.deps, config })
    const answers = [
      await busy.inject({ method: 'GET', url }),
      await plane.app.inject({ method: 'DELETE', url }),
    ]
    await busy.close()
    expect(answers.map(({ statusCode }) => statusCode)).toEqual([503, 405])
    for (const { headers } of answers) expect(headers['access-control-allow-origin']).toBe('*')
  })

  test('gets no permission for anything else', async () => {
    const headers = { 'access-control-request-method': 'GET' }
    const url = `/api/v1/recordings/${recordingId}`
    const asked = await plane.app.inject({ method: 'OPTIONS', url, headers })
    expect([asked.statusCode, asked.headers['access-control-allow-origin']]).toEqual([
      405,
      undefined,
    ])
    const { authorization } = plane.tenant
    for (const other of [url, '/api/v1/recordings', `${url}/comments/1/2`]) {
      const answer = await plane.app.inject({ url: other, headers: { authorization } })
      expect(answer.headers['access-control-allow-origin'], other).toBeUndefined()
    }
  })
})
