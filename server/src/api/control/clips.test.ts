import { randomUUID } from 'node:crypto'
import { CLIP_TITLE_MAX, CLIPS_MAX } from '@interview-room/contract/limits.ts'
import { beforeAll, describe, expect, test } from 'vitest'
import { expireRecordingsOfRoom } from '../../domain/recording/delete-recording.ts'
import { inTransaction } from '../../platform/db/db.ts'
import { setTenantLimits } from '../../platform/tenants/tenant-limits.ts'
import { type ActingTenant, createActingTenant } from '../../testing/acting-tenant.ts'
import { useControlPlane } from '../../testing/control-plane.ts'
import {
  addRecordedRoom,
  addRecording,
  deleteObjects,
  setClipMade,
} from '../../testing/recordings.ts'
import { callAsViewer } from '../../testing/viewer-calls.ts'

const plane = useControlPlane()
let acting: ActingTenant
let roomId: string
let recordingId: string
/** Token of a viewer who may clip every recording of the room. */
let token: string

beforeAll(async () => {
  acting = await createActingTenant(plane.deps, plane.tenant.tenantId)
  ;({ roomId, recordingId } = await addRecordedRoom(plane))
  token = await acting.signViewerToken({ room_id: roomId, may: ['clip'] })
})

const RANGE = { start_sec: 10, end_sec: 20.5 }
const clipsOf = (id: string) => `/recordings/${id}/clips`
const order = async (body: object = RANGE, id = recordingId) => plane.tenant.post(clipsOf(id), body)

const hasObject = (key: string) => plane.storage.objects.has(key)

describe('a clip', () => {
  // contract: createClip › 201 Clip: `id`, `recording_id`, `title`, `start_sec`, `end_sec`, `viewer`, `status`,
  //   `progress_percent`, `size`, `duration_sec`, `failure_reason`, `created_at`, `updated_at`, pending, with its Location
  // contract: getClip › 200 Clip, with its `tags`
  // contract: listClips › 200, list of Clips with `tags`, oldest first, `cursor`, `limit`
  test('is ordered pending, and read by its id and in the list of its recording, page by page', async () => {
    const id = await addRecording(plane, roomId)
    const first = await order({ ...RANGE, title: '表示を読む' }, id)
    expect(first.status).toBe(201)
    expect(first.headers['location']).toBe(`/api/v1/clips/${first.data.id}`)
    expect(first.data).toEqual({
      id: expect.any(String),
      recording_id: id,
      title: '表示を読む',
      tags: [],
      ...RANGE,
      viewer: null,
      status: 'pending',
      progress_percent: null,
      size: null,
      duration_sec: null,
      failure_reason: null,
      created_at: expect.stringMatching(/Z$/),
      updated_at: first.data.created_at,
    })
    const second = await order(RANGE, id)
    expect(second.data).toMatchObject({ title: null, ...RANGE })
    expect((await plane.tenant.get(`/clips/${first.data.id}`)).data).toEqual(first.data)
    const page = (await plane.tenant.get(`${clipsOf(id)}?limit=1`)).data
    expect(page).toEqual({ items: [first.data], next_cursor: expect.any(String), has_more: true })
    const next = (await plane.tenant.get(`${clipsOf(id)}?cursor=${page.next_cursor}`)).data
    expect(next).toEqual({ items: [second.data], next_cursor: null, has_more: false })
    const elsewhere = await plane.tenant.get(`${clipsOf(recordingId)}?cursor=${page.next_cursor}`)
    expect(elsewhere.details).toEqual([['cursor', 'INVALID_FORMAT']])
  })

  // contract: createClip › A repeat under its Idempotency-Key answers the first one
  test('is made once under its Idempotency-Key', async () => {
    const headers = { 'idempotency-key': randomUUID() }
    const first = await plane.tenant.post(clipsOf(recordingId), RANGE, headers)
    const repeat = await plane.tenant.post(clipsOf(recordingId), RANGE, headers)
    expect([repeat.status, repeat.data]).toEqual([201, first.data])
  })

  // contract: createClip › 400 INVALID_REQUEST for fields, `TRIM_RANGE_INVALID` unless `end_sec` is behind `start_sec`;
  //   422 VALIDATION_ERROR, `EXCEEDS_DURATION`, for an end after that of the recording
  // contract: Limits › The title of a clip has `CLIP_TITLE_MAX` characters
  test.each([
    ['without a start', { end_sec: 1 }, [400, 'start_sec', 'REQUIRED']],
    ['without an end', { start_sec: 1 }, [400, 'end_sec', 'REQUIRED']],
    ['from before the beginning', { ...RANGE, start_sec: -1 }, [400, 'start_sec', 'OUT_OF_RANGE']],
    ['from a text', { ...RANGE, start_sec: '1' }, [400, 'start_sec', 'INVALID_TYPE']],
    ['of no length', { start_sec: 5, end_sec: 5 }, [400, 'end_sec', 'TRIM_RANGE_INVALID']],
    ['to before its start', { start_sec: 5, end_sec: 4 }, [400, 'end_sec', 'TRIM_RANGE_INVALID']],
    ['with an empty title', { ...RANGE, title: '' }, [400, 'title', 'TOO_SHORT']],
    ['with two lines of title', { ...RANGE, title: 'a\nb' }, [400, 'title', 'INVALID_FORMAT']],
    [
      'with a title that is too long',
      { ...RANGE, title: 'x'.repeat(CLIP_TITLE_MAX + 1) },
      [400, 'title', 'TOO_LONG'],
    ],
    ['by a trim', { ...RANGE, trim_start_sec: 1 }, [400, 'trim_start_sec', 'UNKNOWN_FIELD']],
    ['to after the end', { ...RANGE, end_sec: 60.6 }, [422, 'end_sec', 'EXCEEDS_DURATION']],
  ])('%s is refused', async (_what, body, [status, ...detail]) => {
    const refused = await order(body)
    expect([refused.status, refused.details]).toEqual([status, [detail]])
  })

  test('of all of the recording, with the longest title, is taken', async () => {
    const title = '🎙'.repeat(CLIP_TITLE_MAX)
    const { status, data } = await order({ start_sec: 0, end_sec: 60.5, title })
    expect([status, data.title]).toEqual([201, title])
  })

  // contract: createClip › 409 RECORDING_NOT_AVAILABLE unless it is available
  test.each(['started', 'stopped', 'failed', 'expired'] as const)(
    'of a recording that is %s is 409 RECORDING_NOT_AVAILABLE',
    async (status) => {
      const id = await addRecording(plane, roomId, { status })
      const refused = await order(RANGE, id)
      expect([refused.status, refused.code]).toEqual([409, 'RECORDING_NOT_AVAILABLE'])
      expect((await plane.tenant.get(clipsOf(id))).data.items).toEqual([])
    },
  )

  // contract: createClip › 422 VALIDATION_ERROR, `NOT_ALLOWED`, of an individual Recording
  test('of a recording with a file for each participant is 422', async () => {
    const id = await addRecording(plane, roomId, { outputMode: 'individual' })
    const refused = await order(RANGE, id)
    expect([refused.status, refused.details]).toEqual([422, [['recording_id', 'NOT_ALLOWED']]])
  })

  // contract: Limits › A recording has `CLIPS_MAX` clips
  // contract: createClip › 422 VALIDATION_ERROR, `QUOTA_EXCEEDED`, beyond those that a recording may have, and while the
  //   tenant stores as much as it may
  test('beyond the limit of a recording is 422, until one is deleted', async () => {
    const id = await addRecording(plane, roomId)
    await plane.database.db`
      insert into clips (id, tenant_id, recording_id, seq, start_sec, end_sec, status, created_at,
                         updated_at)
      select gen_random_uuid(), ${plane.tenant.tenantId}, ${id}, -n, 0, 1, 'pending', now(), now()
        from generate_series(1, ${CLIPS_MAX - 2}) as n
    `
    const answers = await Promise.all(Array.from({ length: 4 }, async () => order(RANGE, id)))
    const refused = answers.filter(({ status }) => status !== 201)
    expect(refused.map(({ status, details }) => [status, details])).toEqual(
      Array.from({ length: 2 }, () => [422, [['body', 'QUOTA_EXCEEDED']]]),
    )
    const made = answers.find(({ status }) => status === 201)
    await plane.tenant.delete(`/clips/${made?.data.id}`)
    expect((await order(RANGE, id)).status).toBe(201)
  })

  test('counts as stored, and is refused when the storage limit is reached, also to viewers', async () => {
    const usage = async () => {
      const period = 'from=2020-01-01T00:00:00Z&to=2020-02-01T00:00:00Z'
      return (await plane.tenant.get(`/usage?${period}`)).data.stored_bytes as number
    }
    const { data } = await order()
    const before = await usage()
    await setClipMade(plane, data.id)
    expect(await usage()).toBe(before + 8)
    const { tenantId } = plane.tenant
    const change = async (storedBytesMax: number | null) => {
      await setTenantLimits(plane.deps, { tenantId, changes: { storedBytesMax } })
      plane.now = new Date(plane.now.getTime() + 2000)
    }
    await change(1)
    const asViewer = await callAsViewer(plane.app, ['POST', clipsOf(recordingId)], {
      token,
      body: RANGE,
    })
    const refused = [await order(), asViewer]
    await change(null)
    for (const { status, details } of refused) {
      expect([status, details]).toEqual([422, [['stored_bytes', 'QUOTA_EXCEEDED']]])
    }
    // The tenant's agreement with its operator is no business of a viewer.
    expect(refused.map(({ text }) => text.includes('less than 1'))).toEqual([true, false])
  })

  test('counts with its probable size before it is made', async () => {
    const id = await addRecording(plane, roomId)
    await plane.database.db`delete from clips`
    const period = 'from=2020-01-01T00:00:00Z&to=2020-02-01T00:00:00Z'
    const { stored_bytes } = (await plane.tenant.get(`/usage?${period}`)).data
    const { size, duration_sec } = (await plane.tenant.get(`/recordings/${id}`)).data
    const { tenantId } = plane.tenant
    const change = async (storedBytesMax: number | null) => {
      await setTenantLimits(plane.deps, { tenantId, changes: { storedBytesMax } })
      plane.now = new Date(plane.now.getTime() + 2000)
    }
    await change(stored_bytes + 2 * size)
    const statuses = []
    for (const share of [1, 0.5, 1, 0.5, 0.1]) {
      const range = { start_sec: 0, end_sec: share * duration_sec }
      statuses.push((await order(range, id)).status)
    }
    await change(null)
    expect(statuses).toEqual([201, 201, 422, 201, 422])
    expect((await plane.tenant.get(`/usage?${period}`)).data.stored_bytes).toBe(stored_bytes)
  })

  // contract: getClipDownloadUrl › 200 `url`, `expires_at`, for `expires_in_seconds`; a row in the access log
  // contract: getClipDownloadUrl › 409 CLIP_NOT_AVAILABLE unless it is available
  // contract: Error codes › 409 CLIP_NOT_AVAILABLE
  // contract: listDownloadAccesses › `clip_id` of one for a clip
  test('is downloaded by a signed URL, which the access log has, once it is available', async () => {
    const { data } = await order()
    const path = `/clips/${data.id}/download-url`
    const early = await plane.tenant.get(path)
    expect([early.status, early.code]).toEqual([409, 'CLIP_NOT_AVAILABLE'])
    await setClipMade(plane, data.id)
    const { status, data: signed } = await plane.tenant.get(`${path}?expires_in_seconds=60`)
    expect(status).toBe(200)
    expect(signed.url).toContain(`${data.id}-1.mp4`)
    expect(Date.parse(signed.expires_at)).toBe(plane.now.getTime() + 60_000)
    const log = await plane.tenant.get(`/access-log?recording_id=${recordingId}`)
    expect(log.data.items[0]).toMatchObject({
      recording_id: recordingId,
      clip_id: data.id,
      processed_recording_id: null,
      expires_at: signed.expires_at,
    })
    const refused = await plane.tenant.get(`${path}?expires_in_seconds=59`)
    expect(refused.details).toEqual([['expires_in_seconds', 'OUT_OF_RANGE']])
  })

  // contract: deleteClip › 204, its file goes; a repeat is 204
  test('is deleted with its file, once and again; the recording stays', async () => {
    const { data } = await order()
    const key = await setClipMade(plane, data.id)
    const path = `/clips/${data.id}`
    expect((await plane.tenant.delete(path)).status).toBe(204)
    expect((await plane.tenant.delete(path)).status).toBe(204)
    expect((await plane.tenant.get(path)).status).toBe(404)
    expect((await plane.tenant.get(`${path}/download-url`)).status).toBe(404)
    await deleteObjects(plane)
    expect(hasObject(key)).toBe(false)
    expect((await plane.tenant.get(`/recordings/${recordingId}`)).data.status).toBe('available')
  })

  // contract: createClip › Deleted together with the recording, and with its file
  test('goes with its recording, and with its file', async () => {
    const deleted = await addRecordedRoom(plane)
    const expired = await addRecordedRoom(plane)
    const made = []
    for (const each of [deleted, expired]) {
      const { data } = await order(RANGE, each.recordingId)
      made.push({ path: `/clips/${data.id}`, key: await setClipMade(plane, data.id) })
      await order(RANGE, each.recordingId)
    }
    await plane.tenant.delete(`/recordings/${deleted.recordingId}`)
    const room = { tenantId: plane.tenant.tenantId, roomId: expired.roomId }
    await inTransaction(plane.database.db, (tx) => expireRecordingsOfRoom(tx, room, plane.now))
    await deleteObjects(plane)
    for (const { path, key } of made) {
      expect((await plane.tenant.get(path)).status).toBe(404)
      expect(hasObject(key)).toBe(false)
    }
    expect((await plane.tenant.get(clipsOf(expired.recordingId))).data.items).toEqual([])
  })

  // contract: getClip › 404 NOT_FOUND, also for a clip of another tenant
  // contract: deleteClip › 404 NOT_FOUND, also for a clip of another tenant
  test('of another tenant answers like one that is not there', async () => {
    const { data } = await order()
    for (const id of [data.id, randomUUID()]) {
      const answers = [
        await plane.other.get(`/clips/${id}`),
        await plane.other.get(`/clips/${id}/download-url`),
        await plane.other.delete(`/clips/${id}`),
      ]
      expect(answers.map(({ status }) => status)).toEqual([404, 404, 404])
    }
    expect((await plane.other.get(clipsOf(recordingId))).status).toBe(404)
    expect((await plane.other.post(clipsOf(recordingId), RANGE)).status).toBe(404)
    expect((await plane.tenant.get(`/clips/${data.id}`)).status).toBe(200)
  })
})

const call = async (
  method: 'GET' | 'POST' | 'DELETE',
  path: string,
  { by = token, body }: { by?: string; body?: unknown } = {},
) => callAsViewer(plane.app, [method, path], { token: by, ...(body !== undefined && { body }) })

describe('a viewer token', () => {
  // contract: createClip › A viewer token that may `clip` works in place of the API key; `viewer` is its person
  // contract: listClips › A viewer token that may `clip` works in place of the API key
  // contract: getClip › A viewer token that may `clip` works in place of the API key
  // contract: getClipDownloadUrl › A viewer token that may `clip` works in place of the API key
  // contract: deleteClip › A viewer token that may `clip` works in place of the API key
  test('that may clip does all of it, also with the clips of others', async () => {
    const mine = await call('POST', clipsOf(recordingId), { body: RANGE })
    expect(mine.status).toBe(201)
    expect(mine.data.viewer).toEqual({ reference: 'researcher-1', name: 'Sato' })
    const ofTenant = (await order()).data
    for (const { id } of [mine.data, ofTenant]) {
      await setClipMade(plane, id)
      const read = await call('GET', `/clips/${id}`)
      expect([read.status, read.data.status]).toEqual([200, 'available'])
      expect((await call('GET', `/clips/${id}/download-url`)).status).toBe(200)
    }
    const { items } = (await call('GET', `${clipsOf(recordingId)}?limit=100`)).data
    const ids = items.map(({ id }: { id: string }) => id)
    expect(ids).toEqual(expect.arrayContaining([mine.data.id, ofTenant.id]))
    for (const { id } of [mine.data, ofTenant]) {
      expect((await call('DELETE', `/clips/${id}`)).status).toBe(204)
      expect((await call('DELETE', `/clips/${id}`)).status).toBe(204)
    }
  })

  // contract: getClip › 401 UNAUTHORIZED for a viewer token that may not `clip`
  test('that may do everything else opens no clip', async () => {
    const { id } = (await order()).data
    const by = await acting.signViewerToken({
      room_id: roomId,
      may: ['watch', 'comment', 'download'],
    })
    const refused = [
      await call('GET', clipsOf(recordingId), { by }),
      await call('POST', clipsOf(recordingId), { by, body: RANGE }),
      await call('GET', `/clips/${id}`, { by }),
      await call('GET', `/clips/${id}/download-url`, { by }),
      await call('DELETE', `/clips/${id}`, { by }),
    ]
    expect(refused.map(({ status }) => status)).toEqual([401, 401, 401, 401, 401])
    expect((await plane.tenant.get(`/clips/${id}`)).status).toBe(200)
  })

  // contract: getClip › 404 NOT_FOUND for a clip of a recording that the token is not about
  test('of another recording answers like one for a clip that is not there, deleted or not', async () => {
    const { id } = (await order()).data
    const sibling = await addRecording(plane, roomId)
    const by = await acting.signViewerToken({ recording_id: sibling, may: ['clip'] })
    const ask = async (path: string) => [
      await call('GET', path, { by }),
      await call('GET', `${path}/download-url`, { by }),
      await call('DELETE', path, { by }),
    ]
    const statuses = [...(await ask(`/clips/${id}`)), ...(await ask(`/clips/${randomUUID()}`))]
    await plane.tenant.delete(`/clips/${id}`)
    statuses.push(...(await ask(`/clips/${id}`)))
    expect(new Set(statuses.map(({ status }) => status))).toEqual(new Set([404]))
    expect(new Set(statuses.map(({ text }) => text)).size).toBe(1)
  })

  test('deletes from a page of another origin', async () => {
    const asked = await plane.app.inject({
      method: 'OPTIONS',
      url: `/api/v1/clips/${randomUUID()}`,
      headers: {
        origin: 'https://research.example.com',
        'access-control-request-method': 'DELETE',
        'access-control-request-headers': 'authorization',
      },
    })
    expect(asked.statusCode).toBe(204)
    expect(asked.headers['access-control-allow-methods']).toContain('DELETE')
  })
})
