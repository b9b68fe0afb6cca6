import { randomUUID } from 'node:crypto'
import { afterEach, describe, expect, test, vi } from 'vitest'
import { useControlPlane } from '../../testing/control-plane.ts'
import {
  addRecordedRoom,
  deleteObjects,
  putObject,
  setProcessedStatus,
  webhooksOf,
} from '../../testing/recordings.ts'

const plane = useControlPlane()
const TRIM = { source: 'trim', trim_start_sec: 1.5, trim_end_sec: 60.5 }
const UPLOAD = { source: 'upload' }

afterEach(() => {
  vi.restoreAllMocks()
  plane.storage.isDown = false
})

const pathOf = (recordingId: string) => `/recordings/${recordingId}/processed-recording`

/** A recording with a processed one; the address of the latter. */
async function order(body: object) {
  const { roomId, recordingId } = await addRecordedRoom(plane)
  const path = pathOf(recordingId)
  const { status, data } = await plane.tenant.post(path, body)
  expect(status).toBe(201)
  return { path, roomId, data }
}

const keyOf = (url: string) => new URL(url).pathname.slice(1)

/** Uploads to the signed address, as the tenant would. */
async function orderUploaded(content = 'blurred') {
  const ordered = await order(UPLOAD)
  putObject(plane, keyOf(ordered.data.upload.url), content)
  return ordered
}

const accessesOf = (processedId: string) => plane.database.db`
  select expires_at from download_accesses where processed_recording_id = ${processedId}
`

/** Frozen objects without their row, and the upload, when all deletions have been done. */
async function copiesOfNobody(uploadUrl: string): Promise<string[]> {
  await deleteObjects(plane)
  const rows = await plane.database.db<{ key: string }[]>`
    select storage_key as key from processed_recordings where storage_key is not null
  `
  const known = new Set(rows.map(({ key }) => key))
  return [...plane.storage.objects.keys()].filter(
    (key) =>
      key === keyOf(uploadUrl) || (key.includes('/processed-recordings/') && !known.has(key)),
  )
}

describe('POST /recordings/{recording_id}/processed-recording', () => {
  // contract: Fields of a ProcessedRecording › `id`, `recording_id`, `source`, `trim_start_sec`,
  //   `trim_end_sec`, `status`, `size`, `duration_sec`, `failure_reason`, `created_at`,
  //   `updated_at`; null while unknown
  // contract: createProcessedRecording › 201 with `Location`, pending, for trim
  test('with source trim answers a pending one with its range, and no address', async () => {
    const { recordingId } = await addRecordedRoom(plane)
    const { status, data, headers } = await plane.tenant.post(pathOf(recordingId), TRIM)
    expect([status, headers['location']]).toEqual([201, `/api/v1${pathOf(recordingId)}`])
    expect(data).toEqual({
      id: expect.any(String),
      recording_id: recordingId,
      source: 'trim',
      trim_start_sec: 1.5,
      trim_end_sec: 60.5,
      status: 'pending',
      size: null,
      duration_sec: null,
      failure_reason: null,
      created_at: plane.now.toISOString(),
      updated_at: plane.now.toISOString(),
    })
  })

  // contract: Fields of a ProcessedRecording › `trim_start_sec`, `trim_end_sec` are null for
  //   upload; `upload` (`url`, `expires_at`) only in that answer
  // contract: createProcessedRecording › 201 for upload with a signed PUT of at most 5 GB
  //   (`PROCESSED_UPLOAD_MAX_BYTES`)
  test('with source upload answers an address for a single PUT of at most 5 GB, for an hour', async () => {
    const { data } = await order(UPLOAD)
    expect(data).toMatchObject({ status: 'pending', trim_start_sec: null, trim_end_sec: null })
    expect(data.upload).toEqual({
      url: expect.any(String),
      expires_at: new Date(plane.now.getTime() + 3_600_000).toISOString(),
    })
    const url = new URL(data.upload.url)
    expect(Object.fromEntries(url.searchParams)).toMatchObject({
      method: 'PUT',
      maxBytes: String(5 * 1024 ** 3),
    })
    expect(keyOf(data.upload.url)).toMatch(
      new RegExp(`^${plane.tenant.tenantId}/processed-uploads/[0-9a-f-]{36}$`),
    )
  })

  // contract: createProcessedRecording › 400 INVALID_REQUEST: `source` missing or invalid
  // contract: createProcessedRecording › 400 INVALID_REQUEST: `trim_start_sec`, `trim_end_sec` are
  //   required for trim, forbidden for upload
  // contract: createProcessedRecording › 400 INVALID_REQUEST unless 0 <= start < end
  // contract: Detail codes › `NOT_ALLOWED`, `TRIM_RANGE_INVALID`
  test.each([
    [{}, [['source', 'REQUIRED']]],
    [{ source: 'blur' }, [['source', 'INVALID_ENUM']]],
    [{ source: null }, [['source', 'NOT_NULLABLE']]],
    [
      { source: 'trim' },
      [
        ['trim_start_sec', 'REQUIRED'],
        ['trim_end_sec', 'REQUIRED'],
      ],
    ],
    [{ source: 'trim', trim_start_sec: 0 }, [['trim_end_sec', 'REQUIRED']]],
    [{ source: 'trim', trim_end_sec: 5 }, [['trim_start_sec', 'REQUIRED']]],
    [{ ...TRIM, trim_start_sec: null }, [['trim_start_sec', 'REQUIRED']]],
    [{ ...TRIM, trim_start_sec: '1' }, [['trim_start_sec', 'INVALID_TYPE']]],
    [{ ...TRIM, trim_start_sec: -0.1 }, [['trim_start_sec', 'OUT_OF_RANGE']]],
    [{ ...TRIM, trim_end_sec: -1 }, [['trim_end_sec', 'OUT_OF_RANGE']]],
    [{ ...TRIM, trim_start_sec: 5, trim_end_sec: 5 }, [['trim_end_sec', 'TRIM_RANGE_INVALID']]],
    [{ ...TRIM, trim_start_sec: 6, trim_end_sec: 5 }, [['trim_end_sec', 'TRIM_RANGE_INVALID']]],
    [{ ...TRIM, trim_start_sec: 0, trim_end_sec: 0 }, [['trim_end_sec', 'TRIM_RANGE_INVALID']]],
    [{ ...UPLOAD, trim_start_sec: 0 }, [['trim_start_sec', 'NOT_ALLOWED']]],
    [{ ...UPLOAD, trim_end_sec: 5 }, [['trim_end_sec', 'NOT_ALLOWED']]],
    [{ ...UPLOAD, duration_sec: 5 }, [['duration_sec', 'UNKNOWN_FIELD']]],
  ])('with %j is 400 INVALID_REQUEST', async (body, details) => {
    const { recordingId } = await addRecordedRoom(plane)
    const refused = await plane.tenant.post(pathOf(recordingId), body)
    expect([refused.status, refused.code]).toEqual([400, 'INVALID_REQUEST'])
    expect(refused.details).toEqual(details)
    expect((await plane.tenant.get(pathOf(recordingId))).status).toBe(404)
  })

  // contract: createProcessedRecording › 422 VALIDATION_ERROR when the range ends after the
  //   Recording
  // contract: Error codes › 422 VALIDATION_ERROR
  // contract: Detail codes › `EXCEEDS_DURATION`
  test.each([
    { trim_end_sec: 60.51 },
    { trim_end_sec: 1_000_001 },
    { trim_start_sec: 1_000_001, trim_end_sec: Number.MAX_SAFE_INTEGER },
  ])(
    'with a range that ends after the recording, as %j, is 422 VALIDATION_ERROR',
    async (range) => {
      const { recordingId } = await addRecordedRoom(plane, { durationSec: 60.5 })
      const refused = await plane.tenant.post(pathOf(recordingId), { ...TRIM, ...range })
      expect([refused.status, refused.code]).toEqual([422, 'VALIDATION_ERROR'])
      expect(refused.details).toEqual([['trim_end_sec', 'EXCEEDS_DURATION']])
      expect((await plane.tenant.get(pathOf(recordingId))).status).toBe(404)
    },
  )

  // contract: createProcessedRecording › 409 RECORDING_NOT_AVAILABLE in every state but available
  test.each(['started', 'paused', 'stopped', 'uploaded', 'expired', 'failed'] as const)(
    'for a recording that is %s is 409 RECORDING_NOT_AVAILABLE',
    async (status) => {
      const { recordingId } = await addRecordedRoom(plane, { status })
      for (const body of [TRIM, UPLOAD]) {
        const refused = await plane.tenant.post(pathOf(recordingId), body)
        expect([refused.status, refused.code]).toEqual([409, 'RECORDING_NOT_AVAILABLE'])
      }
    },
  )

  // contract: createProcessedRecording, Error codes › 409 PROCESSED_RECORDING_ALREADY_EXISTS
  test('a second time is 409 PROCESSED_RECORDING_ALREADY_EXISTS, whatever the sources', async () => {
    const { path } = await order(TRIM)
    for (const body of [TRIM, UPLOAD]) {
      const refused = await plane.tenant.post(path, body)
      expect([refused.status, refused.code]).toEqual([409, 'PROCESSED_RECORDING_ALREADY_EXISTS'])
    }
  })

  // contract: createProcessedRecording › 20 concurrent requests make one
  test('20 concurrent requests make one', async () => {
    const { recordingId } = await addRecordedRoom(plane)
    const answers = await Promise.all(
      Array.from({ length: 20 }, () => plane.tenant.post(pathOf(recordingId), UPLOAD)),
    )
    const codes = answers.map(({ status, code }) => `${status} ${code}`).toSorted()
    expect(codes).toEqual([
      '201 undefined',
      ...Array.from({ length: 19 }, () => '409 PROCESSED_RECORDING_ALREADY_EXISTS'),
    ])
  })

  // contract: Idempotency › Processed recordings: concurrent requests with one key make one; a trim
  //   with the key of an upload is 422
  // contract: createProcessedRecording › Idempotency-Key: 422 IDEMPOTENCY_KEY_CONFLICT for another
  //   body
  test('with an Idempotency-Key makes one for 20 identical requests, and answers all of them the same', async () => {
    const { recordingId } = await addRecordedRoom(plane)
    const headers = { 'idempotency-key': randomUUID() }
    const answers = await Promise.all(
      Array.from({ length: 20 }, () => plane.tenant.post(pathOf(recordingId), UPLOAD, headers)),
    )
    expect(new Set(answers.map(({ status, text }) => `${status} ${text}`)).size).toBe(1)
    expect(answers.filter((one) => one.headers['idempotent-replayed'] === 'true')).toHaveLength(19)
    expect(answers[0]?.status).toBe(201)
    const conflict = await plane.tenant.post(pathOf(recordingId), TRIM, headers)
    expect([conflict.status, conflict.code]).toEqual([422, 'IDEMPOTENCY_KEY_CONFLICT'])
  })

  // contract: createProcessedRecording › Replaced by DELETE and POST
  test('after a delete makes another one: that is how one is replaced', async () => {
    const { path, data } = await order(TRIM)
    await plane.tenant.delete(path)
    const again = await plane.tenant.post(path, UPLOAD)
    expect(again.status).toBe(201)
    expect(again.data.id).not.toBe(data.id)
  })
})

describe('POST /recordings/{recording_id}/processed-recording/complete', () => {
  // contract: Fields of a ProcessedRecording › `size` is measured, `duration_sec` as declared
  // contract: States of a ProcessedRecording › pending → available by complete, W7
  // contract: completeProcessedRecording › 200, available with the measured `size`, W7
  // contract: Webhook types › W7 processed_recording.status_changed: `processed_recording_id`,
  //   `recording_id`, `room_id`, `session_external_ref`, `source`, `status`, `previous_status`,
  //   `failure_reason`
  test('makes the upload available with measured size and declared length, and sends W7', async () => {
    const { path, roomId, data } = await orderUploaded('blurred')
    const answer = await plane.tenant.post(`${path}/complete`, { duration_sec: 12.25 })
    expect(answer.status).toBe(200)
    const { upload: _once, ...pending } = data
    expect(answer.data).toEqual({ ...pending, status: 'available', size: 7, duration_sec: 12.25 })
    expect((await plane.tenant.get(path)).data).toEqual(answer.data)
    const { session } = (await plane.tenant.get(`/rooms/${roomId}`)).data
    const { external_type, external_id } = session
    expect(await webhooksOf(plane, `processed:${data.id}`)).toEqual([
      {
        id: expect.stringMatching(/^evt_/),
        version: '1',
        type: 'processed_recording.status_changed',
        occurred_at: plane.now.toISOString(),
        data: {
          processed_recording_id: data.id,
          recording_id: data.recording_id,
          room_id: roomId,
          session_external_ref: { external_type, external_id },
          source: 'upload',
          status: 'available',
          previous_status: 'pending',
          failure_reason: null,
        },
      },
    ])
  })

  // contract: Fields of a ProcessedRecording › `duration_sec` is null when not declared
  // contract: completeProcessedRecording › The body and its `duration_sec` are optional, null is
  //   none
  test.each([undefined, {}, { duration_sec: null }])(
    'with the body %j has no length',
    async (body) => {
      const { path } = await orderUploaded()
      const { status, data } = await plane.tenant.post(`${path}/complete`, body)
      expect([status, data.duration_sec]).toEqual([200, null])
    },
  )

  // contract: completeProcessedRecording › The content is frozen
  test('freezes the content: a later upload changes nothing and is removed', async () => {
    const { path, data } = await orderUploaded('blurred')
    const uploadKey = keyOf(data.upload.url)
    await plane.tenant.post(`${path}/complete`)
    putObject(plane, uploadKey, 'swapped')
    const { data: download } = await plane.tenant.get(`${path}/download-url`)
    expect(plane.storage.objects.get(keyOf(download.url))?.body.toString()).toBe('blurred')
    await deleteObjects(plane)
    expect(plane.storage.objects.has(uploadKey)).toBe(false)
    expect(plane.storage.objects.has(keyOf(download.url))).toBe(true)
  })

  test('stores the complete new content when it is replaced during the copy', async () => {
    const { path, data } = await orderUploaded('first')
    const copy = plane.storage.copy.bind(plane.storage)
    vi.spyOn(plane.storage, 'copy').mockImplementationOnce((from, to, options) => {
      putObject(plane, keyOf(data.upload.url), 'the second')
      return copy(from, to, options)
    })
    const answer = await plane.tenant.post(`${path}/complete`)
    expect([answer.status, answer.data.size]).toEqual([200, 'the second'.length])
  })

  test('of content that never comes to rest is 409 UPLOAD_NOT_FOUND, and stays pending', async () => {
    const { path } = await orderUploaded()
    vi.spyOn(plane.storage, 'copy').mockResolvedValue(undefined)
    const refused = await plane.tenant.post(`${path}/complete`)
    expect([refused.status, refused.code]).toEqual([409, 'UPLOAD_NOT_FOUND'])
    expect((await plane.tenant.get(path)).data.status).toBe('pending')
  })

  // contract: States of a ProcessedRecording › pending → pending by complete without the object:
  //   409 UPLOAD_NOT_FOUND
  // contract: completeProcessedRecording, Error codes › 409 UPLOAD_NOT_FOUND
  test('before the upload is 409 UPLOAD_NOT_FOUND, and may be repeated', async () => {
    const { path, data } = await order(UPLOAD)
    const refused = await plane.tenant.post(`${path}/complete`)
    expect([refused.status, refused.code]).toEqual([409, 'UPLOAD_NOT_FOUND'])
    expect((await plane.tenant.get(path)).data.status).toBe('pending')
    expect(await webhooksOf(plane, `processed:${data.id}`)).toEqual([])
    putObject(plane, keyOf(data.upload.url), 'now')
    expect((await plane.tenant.post(`${path}/complete`)).status).toBe(200)
  })

  // contract: completeProcessedRecording › 413 FILE_TOO_LARGE over 5 GB
  // contract: Limits › Processed-recording upload: a single PUT of at most 5 GB
  test('of more than 5 GB is 413 FILE_TOO_LARGE; of exactly 5 GB is not', async () => {
    const { path } = await orderUploaded()
    const head = vi.spyOn(plane.storage, 'head')
    const { etag } = (await plane.storage.head(keyOf((await orderUploaded()).data.upload.url))) ?? {
      etag: '',
    }
    head.mockResolvedValueOnce({ sizeBytes: 5 * 1024 ** 3 + 1, etag })
    const refused = await plane.tenant.post(`${path}/complete`)
    expect([refused.status, refused.code]).toEqual([413, 'FILE_TOO_LARGE'])
    head.mockResolvedValueOnce({ sizeBytes: 5 * 1024 ** 3, etag })
    expect((await plane.tenant.post(`${path}/complete`)).status).toBe(200)
  })

  // contract: completeProcessedRecording › 400 INVALID_REQUEST for `duration_sec`, unknown members
  test.each([
    [{ duration_sec: -1 }, 'duration_sec', 'OUT_OF_RANGE'],
    [{ duration_sec: 1_000_001 }, 'duration_sec', 'OUT_OF_RANGE'],
    [{ duration_sec: '12' }, 'duration_sec', 'INVALID_TYPE'],
    [{ size: 3 }, 'size', 'UNKNOWN_FIELD'],
  ])('with %j is 400 INVALID_REQUEST', async (body, field, code) => {
    const { path } = await orderUploaded()
    const refused = await plane.tenant.post(`${path}/complete`, body)
    expect([refused.status, refused.code]).toEqual([400, 'INVALID_REQUEST'])
    expect(refused.details).toEqual([[field, code]])
  })

  test.each(['{"duration_sec":1e400}', '{"duration_sec":1,"duration_sec":2}', '[]', '"12"'])(
    'with the text %s is 400, and stays pending',
    async (text) => {
      const { path } = await orderUploaded()
      expect((await plane.tenant.post(`${path}/complete`, text)).status).toBe(400)
      expect((await plane.tenant.get(path)).data.status).toBe('pending')
    },
  )

  // contract: completeProcessedRecording › 409 PROCESSED_RECORDING_NOT_AVAILABLE for a trim, or
  //   when not pending
  test('of a trim, or of one that is not pending, is 409 PROCESSED_RECORDING_NOT_AVAILABLE', async () => {
    const trim = await order(TRIM)
    const upload = await orderUploaded()
    await plane.tenant.post(`${upload.path}/complete`)
    for (const { path } of [trim, upload]) {
      const refused = await plane.tenant.post(`${path}/complete`)
      expect([refused.status, refused.code]).toEqual([409, 'PROCESSED_RECORDING_NOT_AVAILABLE'])
    }
  })

  // contract: completeProcessedRecording › 404 NOT_FOUND where there is none
  test('where there is none is 404', async () => {
    const { recordingId } = await addRecordedRoom(plane)
    const refused = await plane.tenant.post(`${pathOf(recordingId)}/complete`)
    expect([refused.status, refused.code]).toEqual([404, 'NOT_FOUND'])
  })

  // contract: completeProcessedRecording › 503 SERVICE_UNAVAILABLE while the storage is down
  test('while the storage is down is 503, and stays pending', async () => {
    const { path } = await orderUploaded()
    plane.storage.isDown = true
    const refused = await plane.tenant.post(`${path}/complete`)
    expect([refused.status, refused.code]).toEqual([503, 'SERVICE_UNAVAILABLE'])
    plane.storage.isDown = false
    expect((await plane.tenant.get(path)).data.status).toBe('pending')
    expect((await plane.tenant.post(`${path}/complete`)).status).toBe(200)
  })

  // contract: completeProcessedRecording › Two concurrent requests: one effect
  test('two concurrent requests have one effect and leave one object', async () => {
    const { path, data } = await orderUploaded()
    const answers = await Promise.all(
      [1, 2, 3, 4].map((duration_sec) => plane.tenant.post(`${path}/complete`, { duration_sec })),
    )
    const done = answers.filter(({ status }) => status === 200)
    expect(done).toHaveLength(1)
    expect(new Set(answers.map(({ code }) => code))).toEqual(
      new Set([undefined, 'PROCESSED_RECORDING_NOT_AVAILABLE']),
    )
    expect((await plane.tenant.get(path)).data).toEqual(done[0]?.data)
    expect(await webhooksOf(plane, `processed:${data.id}`)).toHaveLength(1)
    const { data: download } = await plane.tenant.get(`${path}/download-url`)
    expect(plane.storage.objects.has(keyOf(download.url))).toBe(true)
    expect(await copiesOfNobody(data.upload.url)).toEqual([])
  })

  // contract: completeProcessedRecording › Concurrent with a delete: nothing is left
  test.each(['the processed recording', 'the recording'])(
    'while %s is deleted leaves nothing of it, in whatever order',
    async (what) => {
      const { path, data } = await orderUploaded()
      const removed = what === 'the recording' ? `/recordings/${data.recording_id}` : path
      const [completed, deleted] = await Promise.all([
        plane.tenant.post(`${path}/complete`),
        plane.tenant.delete(removed),
      ])
      expect(deleted.status).toBe(204)
      expect([200, 404]).toContain(completed.status)
      expect((await plane.tenant.get(path)).status).toBe(404)
      const published = await webhooksOf(plane, `processed:${data.id}`)
      expect(published).toHaveLength(completed.status === 200 ? 1 : 0)
      expect(await copiesOfNobody(data.upload.url)).toEqual([])
    },
  )

  // contract: completeProcessedRecording › Concurrent with a replacement: completes nothing
  test('of one that is replaced meanwhile completes nothing', async () => {
    const { path } = await orderUploaded()
    const copy = plane.storage.copy.bind(plane.storage)
    vi.spyOn(plane.storage, 'copy').mockImplementationOnce(async (from, to, options) => {
      const copied = await copy(from, to, options)
      await plane.tenant.delete(path)
      await plane.tenant.post(path, UPLOAD)
      return copied
    })
    expect((await plane.tenant.post(`${path}/complete`)).status).toBe(404)
    expect((await plane.tenant.get(path)).data).toMatchObject({ status: 'pending', size: null })
  })
})

describe('GET /recordings/{recording_id}/processed-recording', () => {
  // contract: Fields of a ProcessedRecording › `upload` is not in later answers
  // contract: getProcessedRecording › 200 ProcessedRecording
  test('answers it without the address of the upload', async () => {
    const { path, data } = await order(UPLOAD)
    const answer = await plane.tenant.get(path)
    const { upload: _once, ...rest } = data
    expect([answer.status, answer.data]).toEqual([200, rest])
  })

  // contract: getProcessedRecording › 404 NOT_FOUND where there is none
  test('where there is none is 404', async () => {
    const { recordingId } = await addRecordedRoom(plane)
    expect((await plane.tenant.get(pathOf(recordingId))).status).toBe(404)
  })
})

describe('GET /recordings/{recording_id}/processed-recording/download-url', () => {
  // contract: getProcessedRecordingDownloadUrl › 200 as for the Recording, logged in the same way
  test('answers a signed address as for the recording, and notes it in the access log', async () => {
    const { path, data } = await orderUploaded()
    await plane.tenant.post(`${path}/complete`)
    const answer = await plane.tenant.get(`${path}/download-url?expires_in_seconds=60`)
    const expiresAt = new Date(plane.now.getTime() + 60_000)
    expect(answer.status).toBe(200)
    expect(answer.data).toEqual({ url: expect.any(String), expires_at: expiresAt.toISOString() })
    expect(Object.fromEntries(new URL(answer.data.url).searchParams)).toMatchObject({
      method: 'GET',
      fileName: `recording-${data.recording_id}-processed.mp4`,
      disposition: 'attachment',
    })
    expect(await accessesOf(data.id)).toEqual([{ expires_at: expiresAt }])
  })

  // contract: getProcessedRecordingDownloadUrl › 400 INVALID_REQUEST for `expires_in_seconds`
  test.each(['59', '10801', 'x'])('for %s seconds is 400 INVALID_REQUEST', async (seconds) => {
    const { path } = await order(UPLOAD)
    const refused = await plane.tenant.get(`${path}/download-url?expires_in_seconds=${seconds}`)
    expect([refused.status, refused.code]).toEqual([400, 'INVALID_REQUEST'])
  })

  // contract: getProcessedRecordingDownloadUrl › 409 PROCESSED_RECORDING_NOT_AVAILABLE in every
  //   state but available
  test.each(['pending', 'processing', 'failed'] as const)(
    'while %s is 409 PROCESSED_RECORDING_NOT_AVAILABLE',
    async (status) => {
      const { path, data } = await order(TRIM)
      await setProcessedStatus(plane, data.id, status)
      const refused = await plane.tenant.get(`${path}/download-url`)
      expect([refused.status, refused.code]).toEqual([409, 'PROCESSED_RECORDING_NOT_AVAILABLE'])
      expect(await accessesOf(data.id)).toEqual([])
    },
  )

  // contract: getProcessedRecordingDownloadUrl › 404 NOT_FOUND where there is none
  test('where there is none is 404', async () => {
    const { recordingId } = await addRecordedRoom(plane)
    expect((await plane.tenant.get(`${pathOf(recordingId)}/download-url`)).status).toBe(404)
  })
})

describe('DELETE /recordings/{recording_id}/processed-recording', () => {
  // contract: deleteProcessedRecording › 204; record and object go
  test('removes the record and its objects', async () => {
    const { path, data } = await orderUploaded()
    await plane.tenant.post(`${path}/complete`)
    const { data: download } = await plane.tenant.get(`${path}/download-url`)
    const answer = await plane.tenant.delete(path)
    expect([answer.status, answer.text]).toEqual([204, ''])
    expect((await plane.tenant.get(path)).status).toBe(404)
    await deleteObjects(plane)
    expect(plane.storage.objects.has(keyOf(download.url))).toBe(false)
    expect(plane.storage.objects.has(keyOf(data.upload.url))).toBe(false)
    expect((await plane.tenant.get(`/recordings/${data.recording_id}`)).status).toBe(200)
  })

  // contract: deleteProcessedRecording › 204 also when there is none
  test('is idempotent, also when there never was one', async () => {
    const { recordingId } = await addRecordedRoom(plane)
    const remove = () => plane.tenant.delete(pathOf(recordingId))
    expect((await remove()).status).toBe(204)
    await plane.tenant.post(pathOf(recordingId), TRIM)
    const answers = await Promise.all([remove(), remove(), remove()])
    expect(answers.map(({ status }) => status)).toEqual([204, 204, 204])
  })

  // contract: deleteProcessedRecording › Possible when pending or failed
  test.each(['pending', 'failed'] as const)('is possible when %s', async (status) => {
    const { path, data } = await order(TRIM)
    await setProcessedStatus(plane, data.id, status)
    expect((await plane.tenant.delete(path)).status).toBe(204)
  })

  // contract: deleteProcessedRecording › 409 PROCESSED_RECORDING_NOT_AVAILABLE while processing
  // contract: Error codes › 409 PROCESSED_RECORDING_NOT_AVAILABLE
  test('while processing is 409 PROCESSED_RECORDING_NOT_AVAILABLE', async () => {
    const { path, data } = await order(TRIM)
    await setProcessedStatus(plane, data.id, 'processing')
    const refused = await plane.tenant.delete(path)
    expect([refused.status, refused.code]).toEqual([409, 'PROCESSED_RECORDING_NOT_AVAILABLE'])
    expect((await plane.tenant.get(path)).status).toBe(200)
  })
})

describe('the processed recording of another tenant', () => {
  // contract: createProcessedRecording, completeProcessedRecording, getProcessedRecording,
  //   getProcessedRecordingDownloadUrl, deleteProcessedRecording › Other tenant: 404 NOT_FOUND
  test.each([
    ['GET', '', undefined],
    ['POST', '', UPLOAD],
    ['POST', '', TRIM],
    ['POST', '/complete', {}],
    ['GET', '/download-url', undefined],
    ['DELETE', '', undefined],
  ] as const)(
    'answers %s %s with 404, byte for byte like an unknown one',
    async (method, end, body) => {
      const { path } = await orderUploaded()
      const ask = (of: string) =>
        plane.other.send({
          method,
          url: `/api/v1${of}${end}`,
          ...(body && {
            payload: JSON.stringify(body),
            headers: { 'content-type': 'application/json' },
          }),
        })
      const foreign = await ask(path)
      expect(foreign.status).toBe(404)
      expect(foreign.text).toBe((await ask(pathOf(randomUUID()))).text)
      expect((await plane.tenant.get(path)).data.status).toBe('pending')
    },
  )
})
