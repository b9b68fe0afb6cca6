import { randomUUID } from 'node:crypto'
import { REEL_CLIPS_MAX, REEL_MAX_SEC, REELS_MAX } from '@interview-room/contract/limits.ts'
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
  endTranscription,
  setClipMade,
} from '../../testing/recordings.ts'
import { callAsViewer } from '../../testing/viewer-calls.ts'

const plane = useControlPlane()
let acting: ActingTenant
let roomId: string
let recordingId: string

beforeAll(async () => {
  acting = await createActingTenant(plane.deps, plane.tenant.tenantId)
  ;({ roomId, recordingId } = await addRecordedRoom(plane))
})

const reelsOf = (id = roomId) => `/rooms/${id}/reels`
const order = async (body: object, id = roomId) => plane.tenant.post(reelsOf(id), body)
const hasObject = (key: string) => plane.storage.objects.has(key)

const TOO_MANY = Array.from({ length: REEL_CLIPS_MAX + 1 }, () => randomUUID())

async function clipOf(id = recordingId, endSec = 20): Promise<string> {
  const range = { start_sec: 10, end_sec: endSec }
  const { data } = await plane.tenant.post(`/recordings/${id}/clips`, range)
  await setClipMade(plane, data.id)
  return data.id
}

async function transcribe(id: string): Promise<void> {
  const body = { language: 'en-US' }
  const { data } = await plane.tenant.post(`/recordings/${id}/transcriptions`, body)
  await endTranscription(plane, data.id, 'done')
}

describe('a reel', () => {
  // contract: createReel › 201 Reel: `id`, `room_id`, `recording_ids`, `clip_ids`, `title`, `title_card`, `captions`, `viewer`,
  //   `status`, `progress_percent`, `size`, `duration_sec`, `failure_reason`, `created_at`, `updated_at`, pending, with its Location
  // contract: getReel › 200 Reel
  // contract: listReels › 200, list of Reels, oldest first, `cursor`, `limit`; not among the clips
  test('is ordered pending, and read by its id and in the list of its room, page by page', async () => {
    const room = await addRecordedRoom(plane)
    const other = await addRecording(plane, room.roomId)
    const clipIds = [await clipOf(other), await clipOf(room.recordingId)]
    const wanted = { clip_ids: clipIds, title: '最初の印象', title_card: '香り' }
    const first = await order(wanted, room.roomId)
    expect(first.status).toBe(201)
    expect(first.headers['location']).toBe(`/api/v1/reels/${first.data.id}`)
    expect(first.data).toEqual({
      id: expect.any(String),
      room_id: room.roomId,
      recording_ids: [other, room.recordingId],
      ...wanted,
      captions: 'none',
      viewer: null,
      status: 'pending',
      progress_percent: null,
      size: null,
      duration_sec: null,
      failure_reason: null,
      created_at: expect.stringMatching(/Z$/),
      updated_at: first.data.created_at,
    })
    const second = await order({ clip_ids: clipIds }, room.roomId)
    expect(second.data).toMatchObject({ title: null, title_card: null })
    expect((await plane.tenant.get(`/reels/${first.data.id}`)).data).toEqual(first.data)
    const page = (await plane.tenant.get(`${reelsOf(room.roomId)}?limit=1`)).data
    expect(page).toEqual({ items: [first.data], next_cursor: expect.any(String), has_more: true })
    const next = await plane.tenant.get(`${reelsOf(room.roomId)}?cursor=${page.next_cursor}`)
    expect(next.data.items).toEqual([second.data])
    const clips = (await plane.tenant.get(`/recordings/${room.recordingId}/clips`)).data.items
    expect(clips).toMatchObject([{ id: clipIds[1] }])
    expect((await plane.tenant.get(`/clips/${first.data.id}`)).status).toBe(404)
    expect((await plane.tenant.get(`/reels/${clipIds[0]}`)).status).toBe(404)
  })

  // contract: createReel › A repeat under its Idempotency-Key answers the first one
  test('is made once under its Idempotency-Key', async () => {
    const headers = { 'idempotency-key': randomUUID() }
    const body = { clip_ids: [await clipOf()] }
    const first = await plane.tenant.post(reelsOf(), body, headers)
    const repeat = await plane.tenant.post(reelsOf(), body, headers)
    expect([repeat.status, repeat.data]).toEqual([201, first.data])
  })

  // contract: createReel › 400 INVALID_REQUEST for fields
  // contract: Limits › A reel has `REEL_CLIPS_MAX` clips, each once
  test.each([
    ['no clips', {}, 'clip_ids', 'REQUIRED'],
    ['an empty list', { clip_ids: [] }, 'clip_ids', 'TOO_SHORT'],
    ['too many clips', { clip_ids: TOO_MANY }, 'clip_ids', 'TOO_LONG'],
    ['a clip without an id', { clip_ids: ['one'] }, 'clip_ids.0', 'INVALID_FORMAT'],
    [
      'unknown captions',
      { clip_ids: [randomUUID()], captions: 'loud' },
      'captions',
      'INVALID_ENUM',
    ],
    ['an empty card', { clip_ids: [randomUUID()], title_card: '' }, 'title_card', 'TOO_SHORT'],
  ])('of %s is refused', async (_what, body, field, code) => {
    const refused = await order(body)
    expect([refused.status, refused.details]).toEqual([400, [[field, code]]])
  })

  // contract: createReel › 422 VALIDATION_ERROR, `NOT_ALLOWED`, on `clip_ids` for clips that no recording of the room has
  test('of a clip of another room or tenant, or of a reel, is refused like one of an unknown clip', async () => {
    const elsewhere = await addRecordedRoom(plane)
    const mine = await clipOf()
    const reel = (await order({ clip_ids: [mine] })).data.id
    for (const id of [await clipOf(elsewhere.recordingId), reel, randomUUID()]) {
      const refused = await order({ clip_ids: [mine, id] })
      expect([refused.status, refused.details]).toEqual([422, [['clip_ids', 'NOT_ALLOWED']]])
    }
    expect((await plane.other.post(reelsOf(), { clip_ids: [mine] })).status).toBe(404)
  })

  // contract: createReel › 409 CLIP_NOT_AVAILABLE for a clip without a file
  test('of a clip that is still made is 409 CLIP_NOT_AVAILABLE', async () => {
    const range = { start_sec: 1, end_sec: 2 }
    const { data } = await plane.tenant.post(`/recordings/${recordingId}/clips`, range)
    const refused = await order({ clip_ids: [await clipOf(), data.id] })
    expect([refused.status, refused.code]).toEqual([409, 'CLIP_NOT_AVAILABLE'])
  })

  // contract: createReel › 422 VALIDATION_ERROR, `NOT_ALLOWED`, on `captions` without a transcription of each recording
  test.each(['burnt', 'track'])('with captions (%s) needs what was said', async (captions) => {
    const room = await addRecordedRoom(plane)
    const other = await addRecording(plane, room.roomId)
    const body = { clip_ids: [await clipOf(room.recordingId), await clipOf(other)], captions }
    await transcribe(other)
    const refused = await order(body, room.roomId)
    expect([refused.status, refused.details]).toEqual([422, [['captions', 'NOT_ALLOWED']]])
    await transcribe(room.recordingId)
    expect((await order(body, room.roomId)).data.captions).toBe(captions)
  })

  // contract: Limits › A reel is `REEL_MAX_SEC` seconds long at most, with its card of `REEL_CARD_SEC`
  test('is not longer than an hour', async () => {
    const room = await addRecordedRoom(plane, { durationSec: 2 * REEL_MAX_SEC })
    const clip = await clipOf(room.recordingId, REEL_MAX_SEC + 7)
    const [fits, refused] = [
      await order({ clip_ids: [clip], title_card: 'Card' }, room.roomId),
      await order({ clip_ids: [clip, await clipOf(room.recordingId, 14)] }, room.roomId),
    ]
    expect([fits.status, refused.details]).toEqual([201, [['clip_ids', 'TOO_LONG']]])
  })

  // contract: Limits › A room has `REELS_MAX` reels
  // contract: createReel › 422 VALIDATION_ERROR, `QUOTA_EXCEEDED`, beyond those that a room may have, and while the
  //   tenant stores as much as it may
  test('beyond the limits of a room and of a tenant is 422', async () => {
    const room = await addRecordedRoom(plane)
    const clip = await clipOf(room.recordingId)
    const body = { clip_ids: [clip] }
    const { tenantId } = plane.tenant
    await setTenantLimits(plane.deps, { tenantId, changes: { storedBytesMax: 1 } })
    plane.now = new Date(plane.now.getTime() + 2000)
    expect((await order(body, room.roomId)).details).toEqual([['stored_bytes', 'QUOTA_EXCEEDED']])
    await setTenantLimits(plane.deps, { tenantId, changes: { storedBytesMax: null } })
    plane.now = new Date(plane.now.getTime() + 2000)
    const { data } = await order(body, room.roomId)
    await plane.database.db`
      insert into clips (id, tenant_id, recording_id, recording_ids, room_id, reel, seq, start_sec,
                         end_sec, status, created_at, updated_at)
      select gen_random_uuid(), tenant_id, recording_id, recording_ids, room_id, reel, -n, 0, 1,
             status, created_at, updated_at
        from clips, generate_series(1, ${REELS_MAX - 1}) as n
       where id = ${data.id}
    `
    expect((await order(body, room.roomId)).details).toEqual([['body', 'QUOTA_EXCEEDED']])
    expect((await plane.tenant.post(`/recordings/${room.recordingId}/clips`, RANGE)).status).toBe(
      201,
    )
  })

  // contract: getReelDownloadUrl › 200 `url`, `expires_at`, for `expires_in_seconds`; 409 CLIP_NOT_AVAILABLE before
  // contract: getReelPlayback › 200 RecordingPlayback: `url`, `expires_at`, `mime`, `size`, `duration_sec`
  // contract: getReelPlayback › 409 CLIP_NOT_AVAILABLE unless it is available
  // contract: listDownloadAccesses › `reel_id` of one for a reel, an entry for each recording that it shows
  test('is downloaded and played by signed URLs, which the access log has', async () => {
    const room = await addRecordedRoom(plane)
    const other = await addRecording(plane, room.roomId)
    const clipIds = [await clipOf(room.recordingId), await clipOf(other)]
    const { id } = (await order({ clip_ids: clipIds }, room.roomId)).data
    for (const use of ['download-url', 'playback']) {
      const early = await plane.tenant.get(`/reels/${id}/${use}`)
      expect([early.status, early.code]).toEqual([409, 'CLIP_NOT_AVAILABLE'])
    }
    await setClipMade(plane, id)
    const path = `/reels/${id}/download-url?expires_in_seconds=60`
    const { data: signed } = await plane.tenant.get(path)
    expect(signed.url).toContain(`${id}-1.mp4`)
    expect(Date.parse(signed.expires_at)).toBe(plane.now.getTime() + 60_000)
    const played = (await plane.tenant.get(`/reels/${id}/playback`)).data
    expect(played).toMatchObject({ mime: 'video/mp4', size: 8, duration_sec: 10.5 })
    for (const recording of [room.recordingId, other]) {
      const log = (await plane.tenant.get(`/access-log?recording_id=${recording}`)).data.items
      expect(log).toMatchObject([
        { reel_id: id, clip_id: null, purpose: 'playback' },
        { reel_id: id, clip_id: null, purpose: 'download' },
      ])
    }
  })

  // contract: deleteReel › 204, its file goes; a repeat is 204
  // contract: createReel › Keeps its file when a clip is deleted
  test('keeps its file without its clips, and is deleted with it, once and again', async () => {
    const clip = await clipOf()
    const { id } = (await order({ clip_ids: [clip] })).data
    const key = await setClipMade(plane, id)
    await plane.tenant.delete(`/clips/${clip}`)
    await deleteObjects(plane)
    expect((await plane.tenant.get(`/reels/${id}`)).data).toMatchObject({
      status: 'available',
      clip_ids: [clip],
    })
    expect(hasObject(key)).toBe(true)
    for (const _ of [1, 2]) expect((await plane.tenant.delete(`/reels/${id}`)).status).toBe(204)
    expect((await plane.tenant.get(`/reels/${id}`)).status).toBe(404)
    await deleteObjects(plane)
    expect(hasObject(key)).toBe(false)
  })

  // contract: createReel › Deleted together with any recording that it shows, and with its file
  test.each(['a DELETE', 'a rule'])('goes with any of its recordings, by %s', async (how) => {
    const room = await addRecordedRoom(plane)
    const other = await addRecording(plane, room.roomId)
    const clipIds = [await clipOf(room.recordingId), await clipOf(other)]
    const { id } = (await order({ clip_ids: clipIds }, room.roomId)).data
    const key = await setClipMade(plane, id)
    if (how === 'a DELETE') await plane.tenant.delete(`/recordings/${other}`)
    else {
      const { tenantId } = plane.tenant
      await inTransaction(plane.database.db, (tx) =>
        expireRecordingsOfRoom(tx, { tenantId, roomId: room.roomId }, plane.now),
      )
    }
    await deleteObjects(plane)
    expect((await plane.tenant.get(`/reels/${id}`)).status).toBe(404)
    expect(hasObject(key)).toBe(false)
  })

  // contract: getReel › 404 NOT_FOUND, also for a reel of another tenant
  // contract: deleteReel › 404 NOT_FOUND, also for a reel of another tenant
  test('of another tenant answers like one that is not there', async () => {
    const { id } = (await order({ clip_ids: [await clipOf()] })).data
    for (const each of [id, randomUUID()]) {
      const answers = [
        await plane.other.get(`/reels/${each}`),
        await plane.other.get(`/reels/${each}/download-url`),
        await plane.other.get(`/reels/${each}/playback`),
        await plane.other.delete(`/reels/${each}`),
      ]
      expect(answers.map(({ status }) => status)).toEqual([404, 404, 404, 404])
    }
    expect((await plane.other.get(reelsOf())).status).toBe(404)
    expect((await plane.tenant.get(`/reels/${id}`)).status).toBe(200)
  })
})

const RANGE = { start_sec: 1, end_sec: 2 }

const by = async (claims: object) =>
  acting.signViewerToken({ room_id: roomId, may: ['watch', 'clip', 'download'], ...claims })
const call = async (
  method: 'GET' | 'POST' | 'DELETE',
  path: string,
  { token, body }: { token: string; body?: unknown },
) => callAsViewer(plane.app, [method, path], { token, ...(body !== undefined && { body }) })

describe('a viewer token', () => {
  // contract: createReel › A viewer token that may `clip` works in place of the API key; `viewer` is its person
  // contract: listReels › A viewer token that may `clip` works in place of the API key
  // contract: getReelDownloadUrl › A viewer token that may `download` works in place of the API key
  // contract: getReelPlayback › A viewer token that may `watch` works in place of the API key
  // contract: deleteReel › A viewer token that may `clip` works in place of the API key
  test.each([
    [['clip'], { list: 200, read: 200, make: 201, download: 401, play: 401, remove: 204 }],
    [['download'], { list: 401, read: 401, make: 401, download: 200, play: 401, remove: 401 }],
    [['watch'], { list: 401, read: 401, make: 401, download: 401, play: 200, remove: 401 }],
    [
      ['comment', 'share', 'staff'],
      { list: 401, read: 401, make: 401, download: 401, play: 401, remove: 401 },
    ],
  ])('that may %j does exactly that', async (may, wanted) => {
    const token = await by({ may })
    const clip = await clipOf()
    const { id } = (await order({ clip_ids: [clip] })).data
    await setClipMade(plane, id)
    const made = await call('POST', reelsOf(), { token, body: { clip_ids: [clip] } })
    expect({
      list: (await call('GET', reelsOf(), { token })).status,
      read: (await call('GET', `/reels/${id}`, { token })).status,
      make: made.status,
      download: (await call('GET', `/reels/${id}/download-url`, { token })).status,
      play: (await call('GET', `/reels/${id}/playback`, { token })).status,
      remove: (await call('DELETE', `/reels/${id}`, { token })).status,
    }).toEqual(wanted)
  })

  // contract: listReels › A token for a recording gets the reels that show nothing else
  // contract: getReel › 404 NOT_FOUND for a reel with a recording that the token is not about
  test('of a recording opens the reels that show nothing else', async () => {
    const room = await addRecordedRoom(plane)
    const other = await addRecording(plane, room.roomId)
    const clips = [await clipOf(room.recordingId), await clipOf(other)]
    const [mine, both] = [
      (await order({ clip_ids: clips.slice(0, 1) }, room.roomId)).data,
      (await order({ clip_ids: clips }, room.roomId)).data,
    ]
    const token = await by({ room_id: undefined, recording_id: room.recordingId })
    const own = { clip_ids: clips.slice(0, 1) }
    const made = await call('POST', reelsOf(room.roomId), { token, body: own })
    expect(made.data.viewer).toEqual({ reference: 'researcher-1', name: 'Sato' })
    const list = await call('GET', reelsOf(room.roomId), { token })
    expect(list.data.items).toEqual([mine, made.data])
    expect((await call('GET', `/reels/${mine.id}`, { token })).status).toBe(200)
    expect((await call('GET', `/reels/${both.id}`, { token })).status).toBe(404)
    expect((await call('DELETE', `/reels/${both.id}`, { token })).status).toBe(404)
    expect((await call('GET', reelsOf(), { token })).status).toBe(404)
    const refused = await call('POST', reelsOf(room.roomId), { token, body: { clip_ids: clips } })
    expect(refused.details).toEqual([['clip_ids', 'NOT_ALLOWED']])
    const elsewhere = await by({ room_id: room.roomId })
    expect((await call('GET', reelsOf(), { token: elsewhere })).status).toBe(404)
    expect((await call('GET', `/reels/${both.id}`, { token: elsewhere })).status).toBe(200)
  })
})
