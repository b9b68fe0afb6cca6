import { randomUUID } from 'node:crypto'
import { describe, expect, test } from 'vitest'
import { lockRoom } from '../../domain/booking/lock-room.ts'
import { inTransaction } from '../../platform/db/db.ts'
import { createActingTenant } from '../../testing/acting-tenant.ts'
import { useControlPlane } from '../../testing/control-plane.ts'
import { hasLockWait } from '../../testing/lock-waits.ts'
import {
  addRecordedRoom,
  addRecording,
  deleteObjects,
  endTranscription,
  putObject,
  setProcessedStatus,
} from '../../testing/recordings.ts'
import { waitFor } from '../../testing/wait-for.ts'

const plane = useControlPlane()

const accessesOf = (recordingId: string) => plane.database.db`
  select tenant_id, processed_recording_id, issued_at, expires_at
    from download_accesses where recording_id = ${recordingId} order by id
`
const deletionsOf = (recordingId: string) => plane.database.db`
  select tenant_id, room_id, deleted_at from recording_deletions
   where recording_id = ${recordingId}
`

describe('GET /rooms/{room_id}/recordings', () => {
  // contract: listRecordings › 200, list of Recordings, created_at ascending, `cursor`, `limit`
  test('lists the recordings of the room, oldest first, page by page', async () => {
    const { id: roomId } = await plane.book()
    const ids: string[] = []
    for (const status of ['available', 'failed', 'started'] as const) {
      ids.push(await addRecording(plane, roomId, { status }))
    }
    const first = await plane.tenant.get(`/rooms/${roomId}/recordings?limit=2`)
    expect([first.status, first.data.has_more]).toEqual([200, true])
    const second = await plane.tenant.get(
      `/rooms/${roomId}/recordings?limit=2&cursor=${first.data.next_cursor}`,
    )
    expect(second.data).toMatchObject({ next_cursor: null, has_more: false })
    const listed = [...first.data.items, ...second.data.items]
    expect(listed.map(({ id }: { id: string }) => id)).toEqual(ids)
  })

  // contract: Form of answers › List envelope `items`, `next_cursor`, `has_more`
  test('of a room without one is empty', async () => {
    const { id } = await plane.book()
    const { data } = await plane.tenant.get(`/rooms/${id}/recordings`)
    expect(data).toEqual({ items: [], next_cursor: null, has_more: false })
  })

  // contract: listRecordings › Those of another Room are not shown
  test('does not show those of another room', async () => {
    await addRecordedRoom(plane)
    const { roomId, recordingId } = await addRecordedRoom(plane)
    const { data } = await plane.tenant.get(`/rooms/${roomId}/recordings`)
    expect(data.items.map(({ id }: { id: string }) => id)).toEqual([recordingId])
  })

  // contract: closeRoom › Recordings stay, and can be downloaded
  // contract: listRecordings › Readable after the close
  test('of a closed room stay readable, and are downloaded', async () => {
    const { roomId, recordingId } = await addRecordedRoom(plane)
    await plane.tenant.post(`/rooms/${roomId}/close`)
    const { data } = await plane.tenant.get(`/rooms/${roomId}/recordings`)
    expect(data.items).toMatchObject([{ id: recordingId, status: 'available' }])
    const download = await plane.tenant.get(`/recordings/${recordingId}/download-url`)
    expect(download.status).toBe(200)
  })

  // contract: Fields of a Recording › A connection test's Recording has the `room_id` of its own
  //   room, and is in no list of an interview room
  test('does not show those of a connection test, which have their own room', async () => {
    const { roomId, recordingId } = await addRecordedRoom(plane)
    const { data: tested } = await plane.tenant.post('/connection-tests', {})
    const ofTest = await addRecording(plane, tested.room_id)
    const idsOf = async (id: string) =>
      (await plane.tenant.get(`/rooms/${id}/recordings`)).data.items.map(
        (item: { id: string; room_id: string }) => [item.id, item.room_id],
      )
    expect(await idsOf(roomId)).toEqual([[recordingId, roomId]])
    expect(await idsOf(tested.room_id)).toEqual([[ofTest, tested.room_id]])
  })

  // contract: listRecordings › 400 INVALID_REQUEST for `limit`, `cursor`, unknown parameters
  test.each([
    ['limit=0', 'limit', 'OUT_OF_RANGE'],
    ['limit=101', 'limit', 'OUT_OF_RANGE'],
    ['limit=ten', 'limit', 'INVALID_TYPE'],
    ['cursor=abc', 'cursor', 'INVALID_FORMAT'],
    ['status=available', 'status', 'UNKNOWN_FIELD'],
  ])('with %s is 400 INVALID_REQUEST', async (query, field, code) => {
    const { roomId } = await addRecordedRoom(plane)
    const refused = await plane.tenant.get(`/rooms/${roomId}/recordings?${query}`)
    expect([refused.status, refused.code]).toEqual([400, 'INVALID_REQUEST'])
    expect(refused.details).toEqual([[field, code]])
  })

  // contract: listRecordings › Other tenant: 404 NOT_FOUND
  test('of another tenant is 404, byte for byte like an unknown room', async () => {
    const { roomId } = await addRecordedRoom(plane)
    const foreign = await plane.other.get(`/rooms/${roomId}/recordings`)
    expect(foreign.status).toBe(404)
    expect(foreign.text).toBe((await plane.other.get(`/rooms/${randomUUID()}/recordings`)).text)
  })
})

describe('GET /recordings/{recording_id}', () => {
  // contract: Fields of a Recording › `id`, `room_id`, `provider_archive_id`, `status`,
  //   `output_mode`, `size`, `duration_sec`, `created_at`, `updated_at`
  // contract: getRecording › 200 Recording
  test('answers every field of the contract, and besides only when its file is likely to be there', async () => {
    const { roomId, recordingId } = await addRecordedRoom(plane)
    const { status, data } = await plane.tenant.get(`/recordings/${recordingId}`)
    expect(status).toBe(200)
    expect(data).toEqual({
      id: recordingId,
      room_id: roomId,
      provider_archive_id: `EG_${recordingId.slice(0, 8)}`,
      status: 'available',
      output_mode: 'composed',
      size: 13,
      duration_sec: 60.5,
      estimated_available_at: null,
      created_at: plane.now.toISOString(),
      updated_at: plane.now.toISOString(),
    })
  })

  // contract: Fields of a Recording › `size`, `duration_sec` are null while started or paused
  test.each(['started', 'paused'] as const)(
    'while %s has no size and no length',
    async (status) => {
      const { recordingId } = await addRecordedRoom(plane, { status })
      const { data } = await plane.tenant.get(`/recordings/${recordingId}`)
      expect(data).toMatchObject({ status, size: null, duration_sec: null })
    },
  )

  // contract: getRecording › 404 NOT_FOUND
  test('answers 404 for an invalid id', async () => {
    expect(await plane.tenant.get('/recordings/abc')).toMatchObject({ status: 404 })
  })
})

describe('GET /recordings/{recording_id}/download-url', () => {
  // contract: getRecordingDownloadUrl › 200, `url`, `expires_at`; an hour by default
  //   (`DOWNLOAD_URL_DEFAULT_SEC`); the access is logged with tenant, time and end
  test('answers a signed address that lives an hour, and notes it in the access log', async () => {
    const { recordingId } = await addRecordedRoom(plane)
    const { status, data } = await plane.tenant.get(`/recordings/${recordingId}/download-url`)
    const expiresAt = new Date(plane.now.getTime() + 3_600_000)
    expect(status).toBe(200)
    expect(data).toEqual({ url: expect.any(String), expires_at: expiresAt.toISOString() })
    const url = new URL(data.url)
    expect(url.pathname).toBe(`/${plane.tenant.tenantId}/recordings/${recordingId}`)
    expect(Object.fromEntries(url.searchParams)).toMatchObject({
      method: 'GET',
      fileName: `recording-${recordingId}.mp4`,
      disposition: 'attachment',
      mime: 'video/mp4',
    })
    expect(await accessesOf(recordingId)).toEqual([
      {
        tenant_id: plane.tenant.tenantId,
        processed_recording_id: null,
        issued_at: plane.now,
        expires_at: expiresAt,
      },
    ])
  })

  // contract: getRecordingDownloadUrl › The storage's key is not published but in the signed URL;
  //   an individual recording is an archive
  test('of a recording with a file per participant is an archive', async () => {
    const { recordingId } = await addRecordedRoom(plane, { outputMode: 'individual' })
    const { data } = await plane.tenant.get(`/recordings/${recordingId}/download-url`)
    expect(new URL(data.url).searchParams.get('fileName')).toBe(`recording-${recordingId}.zip`)
  })

  // contract: getRecordingDownloadUrl › `expires_in_seconds` of 60 (`DOWNLOAD_URL_MIN_SEC`) to
  //   10800 (`DOWNLOAD_URL_MAX_SEC`)
  // contract: Limits › `expires_in_seconds`: 60 to 10800, default 3600
  test.each([60, 10_800])('lives as long as asked for: %i seconds', async (seconds) => {
    const { recordingId } = await addRecordedRoom(plane)
    const { status, data } = await plane.tenant.get(
      `/recordings/${recordingId}/download-url?expires_in_seconds=${seconds}`,
    )
    expect(status).toBe(200)
    expect(data.expires_at).toBe(new Date(plane.now.getTime() + seconds * 1000).toISOString())
  })

  // contract: getRecordingDownloadUrl › One row in the log for each issue
  test('leaves one row in the access log for each request', async () => {
    const { recordingId } = await addRecordedRoom(plane)
    const ask = () => plane.tenant.get(`/recordings/${recordingId}/download-url`)
    await Promise.all([ask(), ask(), ask()])
    expect(await accessesOf(recordingId)).toHaveLength(3)
  })

  // contract: getRecordingDownloadUrl › 400 INVALID_REQUEST for any other, and nothing is logged
  // contract: Detail codes › `OUT_OF_RANGE`
  test.each([
    ['59', 'OUT_OF_RANGE'],
    ['10801', 'OUT_OF_RANGE'],
    ['0', 'OUT_OF_RANGE'],
    ['-60', 'OUT_OF_RANGE'],
    ['100000000', 'OUT_OF_RANGE'],
    ['60.5', 'INVALID_TYPE'],
    ['6e2', 'INVALID_TYPE'],
    ['0x100', 'INVALID_TYPE'],
    ['+60', 'INVALID_TYPE'],
    ['%2060', 'INVALID_TYPE'],
    ['', 'INVALID_TYPE'],
    ['60&expires_in_seconds=70', 'INVALID_TYPE'],
    ['99999999999999999999', 'INVALID_TYPE'],
  ])('for %j seconds is 400 INVALID_REQUEST, and nothing is logged', async (seconds, code) => {
    const { recordingId } = await addRecordedRoom(plane)
    const refused = await plane.tenant.get(
      `/recordings/${recordingId}/download-url?expires_in_seconds=${seconds}`,
    )
    expect([refused.status, refused.code]).toEqual([400, 'INVALID_REQUEST'])
    expect(refused.details).toEqual([['expires_in_seconds', code]])
    expect(await accessesOf(recordingId)).toEqual([])
  })

  // contract: getRecordingDownloadUrl › 409 RECORDING_NOT_AVAILABLE in every state but available
  test.each(['started', 'paused', 'stopped', 'uploaded', 'expired', 'failed'] as const)(
    'while %s is 409 RECORDING_NOT_AVAILABLE',
    async (status) => {
      const { recordingId } = await addRecordedRoom(plane, { status })
      const refused = await plane.tenant.get(`/recordings/${recordingId}/download-url`)
      expect([refused.status, refused.code]).toEqual([409, 'RECORDING_NOT_AVAILABLE'])
      expect(await accessesOf(recordingId)).toEqual([])
    },
  )

  test('of a recording that is deleted at the same moment is an address with its row, or 404', async () => {
    const { recordingId } = await addRecordedRoom(plane)
    const [deleted, ...asked] = await Promise.all([
      plane.tenant.delete(`/recordings/${recordingId}`),
      ...Array.from({ length: 8 }, () =>
        plane.tenant.get(`/recordings/${recordingId}/download-url`),
      ),
    ])
    expect(deleted.status).toBe(204)
    const given = asked.filter(({ status }) => status === 200)
    expect(asked.every(({ status }) => status === 200 || status === 404)).toBe(true)
    expect(await accessesOf(recordingId)).toHaveLength(given.length)
  })

  test('by HEAD is not offered, which would log an address without giving it', async () => {
    const { recordingId } = await addRecordedRoom(plane)
    const head = await plane.app.inject({
      method: 'HEAD',
      url: `/api/v1/recordings/${recordingId}/download-url`,
      headers: { authorization: plane.tenant.authorization },
    })
    expect(head.statusCode).toBe(405)
    expect(await accessesOf(recordingId)).toEqual([])
  })
})

describe('DELETE /recordings/{recording_id}', () => {
  test('is noted at the time of the deletion, however long it waited for the room', async () => {
    const { db } = plane.database
    const { roomId, recordingId } = await addRecordedRoom(plane)
    let deleting: Promise<unknown> | undefined
    await inTransaction(db, async (tx) => {
      await lockRoom(tx, { tenantId: plane.tenant.tenantId, roomId })
      deleting = plane.tenant.delete(`/recordings/${recordingId}`)
      await waitFor(() => hasLockWait(db))
      plane.now = new Date(plane.now.getTime() + 1000)
    })
    expect(await deleting).toMatchObject({ status: 204 })
    expect(await deletionsOf(recordingId)).toMatchObject([{ deleted_at: plane.now }])
  })

  // contract: deleteRecording › 204; the record, its file, its ProcessedRecording, its
  //   Transcriptions and their files go; the deletion is logged
  test('removes record, processed recording, transcriptions and all their objects, and logs it', async () => {
    const { roomId, recordingId } = await addRecordedRoom(plane)
    const path = `/recordings/${recordingId}`
    const { data: processed } = await plane.tenant.post(`${path}/processed-recording`, {
      source: 'upload',
    })
    putObject(plane, new URL(processed.upload.url).pathname.slice(1), 'uploaded')
    await plane.tenant.post(`${path}/processed-recording/complete`)
    const { data: transcription } = await plane.tenant.post(`${path}/transcriptions`)
    await endTranscription(plane, transcription.id, 'done')
    expect(plane.storage.objects.size).toBeGreaterThanOrEqual(3)
    plane.storage.objects.clear()
    const keys = await plane.database.db<{ key: string }[]>`
      select storage_key as key from recordings where id = ${recordingId} union all
      select storage_key from processed_recordings where recording_id = ${recordingId} union all
      select upload_key from processed_recordings where recording_id = ${recordingId} union all
      select result_key from transcriptions where recording_id = ${recordingId}
    `
    expect(keys).toHaveLength(4)
    for (const { key } of keys) putObject(plane, key, 'still here')

    const answer = await plane.tenant.delete(path)
    expect([answer.status, answer.text]).toEqual([204, ''])
    for (const gone of [
      path,
      `${path}/processed-recording`,
      `${path}/transcriptions`,
      `/transcriptions/${transcription.id}`,
    ]) {
      expect(await plane.tenant.get(gone)).toMatchObject({ status: 404, code: 'NOT_FOUND' })
    }
    expect((await plane.tenant.get(`/rooms/${roomId}/recordings`)).data.items).toEqual([])
    expect(await deletionsOf(recordingId)).toEqual([
      { tenant_id: plane.tenant.tenantId, room_id: roomId, deleted_at: plane.now },
    ])
    await deleteObjects(plane)
    expect([...plane.storage.objects.keys()]).toEqual([])
  })

  // contract: deleteRecording › What is uploaded afterwards goes, too
  test('also removes a later upload to the signed address', async () => {
    const { recordingId } = await addRecordedRoom(plane)
    const { data } = await plane.tenant.post(`/recordings/${recordingId}/processed-recording`, {
      source: 'upload',
    })
    await plane.tenant.delete(`/recordings/${recordingId}`)
    const again = await plane.database.db`
      select due_at from jobs where kind = 'delete-objects' and key like '%:again'
    `
    const lastPut = new Date(data.upload.expires_at)
    expect(again.map(({ due_at }) => due_at > lastPut)).toContain(true)
  })

  // contract: deleteRecording › 204 on a repeat, logged once
  test('a repeat answers 204 and logs nothing new, with and without twins', async () => {
    const { recordingId } = await addRecordedRoom(plane)
    const remove = () => plane.tenant.delete(`/recordings/${recordingId}`)
    const answers = await Promise.all(Array.from({ length: 20 }, remove))
    answers.push(await remove())
    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([204]))
    expect(await deletionsOf(recordingId)).toHaveLength(1)
  })

  // contract: deleteRecording › A running trim and a running transcription go with it
  test('takes a running trim and a running transcription with it', async () => {
    const { recordingId } = await addRecordedRoom(plane)
    const path = `/recordings/${recordingId}`
    const range = { trim_start_sec: 0, trim_end_sec: 10 }
    const trim = await plane.tenant.post(`${path}/processed-recording`, {
      source: 'trim',
      ...range,
    })
    await setProcessedStatus(plane, trim.data.id, 'processing')
    const transcription = await plane.tenant.post(`${path}/transcriptions`)
    await endTranscription(plane, transcription.data.id, 'processing')
    expect((await plane.tenant.delete(path)).status).toBe(204)
    expect((await plane.tenant.get(`/transcriptions/${transcription.data.id}`)).status).toBe(404)
    const left = await plane.database.db`
      select 1 from processed_recordings where recording_id = ${recordingId}
    `
    expect(left).toEqual([])
  })

  // contract: deleteRecording › The access log is kept
  test('keeps the access log', async () => {
    const { recordingId } = await addRecordedRoom(plane)
    await plane.tenant.get(`/recordings/${recordingId}/download-url`)
    await plane.tenant.delete(`/recordings/${recordingId}`)
    expect(await accessesOf(recordingId)).toHaveLength(1)
  })

  // contract: deleteRecording › Possible when stopped, uploaded, available, expired, failed
  test.each(['stopped', 'uploaded', 'available', 'expired', 'failed'] as const)(
    'is possible when %s',
    async (status) => {
      const { recordingId } = await addRecordedRoom(plane, { status })
      expect((await plane.tenant.delete(`/recordings/${recordingId}`)).status).toBe(204)
    },
  )

  // contract: deleteRecording › 409 RECORDING_NOT_AVAILABLE while started or paused
  // contract: Error codes › 409 RECORDING_NOT_AVAILABLE
  test.each(['started', 'paused'] as const)(
    'while %s is 409 RECORDING_NOT_AVAILABLE, and nothing is deleted',
    async (status) => {
      const { recordingId } = await addRecordedRoom(plane, { status })
      const refused = await plane.tenant.delete(`/recordings/${recordingId}`)
      expect([refused.status, refused.code]).toEqual([409, 'RECORDING_NOT_AVAILABLE'])
      expect((await plane.tenant.get(`/recordings/${recordingId}`)).status).toBe(200)
    },
  )

  // contract: Idempotency › Recording delete: a repeat with the key is replayed
  // contract: deleteRecording › Idempotency-Key: replayed; 422 IDEMPOTENCY_KEY_CONFLICT for another
  //   Recording
  test('with an Idempotency-Key is replayed, and refused for another recording', async () => {
    const { recordingId } = await addRecordedRoom(plane)
    const { recordingId: another } = await addRecordedRoom(plane)
    const headers = { 'idempotency-key': randomUUID() }
    const first = await plane.tenant.delete(`/recordings/${recordingId}`, headers)
    const again = await plane.tenant.delete(`/recordings/${recordingId}`, headers)
    expect([first.status, again.status]).toEqual([204, 204])
    expect(again.headers['idempotent-replayed']).toBe('true')
    const conflict = await plane.tenant.delete(`/recordings/${another}`, headers)
    expect([conflict.status, conflict.code]).toEqual([422, 'IDEMPOTENCY_KEY_CONFLICT'])
    expect((await plane.tenant.get(`/recordings/${another}`)).status).toBe(200)
  })
})

describe('a participant token', () => {
  // contract: API key › Signed download URLs are not given to participant tokens
  test('gets no signed address: only API keys do', async () => {
    const { roomId, recordingId } = await addRecordedRoom(plane)
    const acting = await createActingTenant(plane.deps, plane.tenant.tenantId)
    const authorization = `Bearer ${await acting.signToken({ roomId, role: 'moderator' })}`
    for (const path of ['download-url', 'processed-recording/download-url']) {
      const url = `/api/v1/recordings/${recordingId}/${path}`
      const answer = await plane.app.inject({ method: 'GET', url, headers: { authorization } })
      expect([answer.statusCode, answer.json().error.code]).toEqual([401, 'UNAUTHORIZED'])
    }
  })
})

describe('a recording of another tenant', () => {
  // contract: getRecording › Other tenant: 404 NOT_FOUND
  // contract: getRecordingDownloadUrl › Other tenant: 404 NOT_FOUND, and nothing is logged
  test.each([
    ['GET', ''],
    ['GET', '/download-url'],
    ['DELETE', ''],
  ] as const)('answers %s %s with 404, byte for byte like an unknown one', async (method, path) => {
    const { recordingId } = await addRecordedRoom(plane)
    const ask = (id: string) => plane.other.send({ method, url: `/api/v1/recordings/${id}${path}` })
    const foreign = await ask(recordingId)
    expect(foreign.status).toBe(404)
    expect(foreign.text).toBe((await ask(randomUUID())).text)
    expect((await plane.tenant.get(`/recordings/${recordingId}`)).status).toBe(200)
    expect(await accessesOf(recordingId)).toEqual([])
  })

  // contract: deleteRecording › Other tenant: 404 NOT_FOUND, also after the deletion
  test('stays unknown when it was deleted: only its owner gets 204 again', async () => {
    const { recordingId } = await addRecordedRoom(plane)
    await plane.tenant.delete(`/recordings/${recordingId}`)
    expect((await plane.other.delete(`/recordings/${recordingId}`)).status).toBe(404)
    expect((await plane.tenant.delete(`/recordings/${randomUUID()}`)).status).toBe(404)
  })
})
