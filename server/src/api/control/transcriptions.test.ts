import { randomUUID } from 'node:crypto'
import { describe, expect, test } from 'vitest'
import { useControlPlane } from '../../testing/control-plane.ts'
import { addRecordedRoom, endTranscription } from '../../testing/recordings.ts'

const plane = useControlPlane()

const pathOf = (recordingId: string) => `/recordings/${recordingId}/transcriptions`

const accessesOf = (recordingId: string) => plane.database.db`
  select tenant_id, transcription_id, processed_recording_id, issued_at, expires_at
    from download_accesses where recording_id = ${recordingId} order by id
`

async function start(body?: object, headers?: Record<string, string>) {
  const { roomId, recordingId } = await addRecordedRoom(plane)
  const path = pathOf(recordingId)
  return { roomId, recordingId, path, ...(await plane.tenant.post(path, body, headers)) }
}

describe('POST /recordings/{recording_id}/transcriptions', () => {
  // contract: Fields of a Transcription › `id`, `recording_id`, `room_id`, `provider`,
  //   `provider_transcription_id` (null when not linked), `status`, `language`, `kind`,
  //   `result_url`, `created_at`, `updated_at`
  // contract: startTranscription › 201 with `Location`, sending_request, `result_url` null;
  //   defaults of the Room
  test('without a body starts one with the defaults of the room', async () => {
    const { status, data, headers, roomId, recordingId } = await start()
    expect([status, headers['location']]).toEqual([201, `/api/v1/transcriptions/${data.id}`])
    expect(data).toEqual({
      id: expect.any(String),
      recording_id: recordingId,
      room_id: roomId,
      provider: 'engine_c',
      provider_transcription_id: null,
      status: 'sending_request',
      language: 'ja-JP',
      kind: 'transcription',
      attempts: [
        {
          engine: 'engine_c',
          started_at: data.created_at,
          ended_at: null,
          failure_reason: null,
        },
      ],
      result_url: null,
      sent_sec: null,
      created_at: expect.stringMatching(/Z$/),
      updated_at: data.created_at,
    })
    expect((await plane.tenant.get(`/transcriptions/${data.id}`)).data).toEqual(data)
  })

  // contract: patchRoom › Holds for later transcriptions only
  test('takes the language and engine that the room has then, even if it is closed', async () => {
    const { roomId, recordingId } = await addRecordedRoom(plane)
    const first = await plane.tenant.post(pathOf(recordingId))
    await plane.tenant.patch(`/rooms/${roomId}`, {
      transcription_language: 'ko-KR',
      transcription_service: 'engine_a',
    })
    await plane.tenant.post(`/rooms/${roomId}/close`)
    const second = await plane.tenant.post(pathOf(recordingId))
    expect(second.data).toMatchObject({ language: 'ko-KR', provider: 'engine_a' })
    expect((await plane.tenant.get(`/transcriptions/${first.data.id}`)).data).toEqual(first.data)
  })

  // contract: startTranscription › `language`, `translate` (kind translation), `provider`
  test('takes the values of the body, with the language in any case, stored in its canonical form', async () => {
    const { data } = await start({ language: 'ZH-tw', provider: 'engine_b', translate: true })
    expect(data).toMatchObject({ language: 'zh-TW', provider: 'engine_b', kind: 'translation' })
  })

  // contract: startTranscription › Deprecated engines: `Deprecation`, `Sunset`
  test.each(['engine_d', 'engine_e'])('with %s works, and says that it ends', async (provider) => {
    const { status, headers } = await start({ provider })
    expect(status).toBe(201)
    expect(headers['deprecation']).toMatch(/^@\d+$/)
    expect(headers['sunset']).toMatch(/GMT$/)
  })

  // contract: startTranscription › 400 INVALID_REQUEST: `language` (at most 16 characters, one of
  //   seven), `provider`, types, null, unknown members
  test.each([
    [{ language: 'fr-FR' }, 'language', 'INVALID_ENUM'],
    [{ language: 'ja' }, 'language', 'INVALID_ENUM'],
    [{ language: '' }, 'language', 'TOO_SHORT'],
    [{ language: 'x'.repeat(17) }, 'language', 'TOO_LONG'],
    [{ language: 7 }, 'language', 'INVALID_TYPE'],
    [{ provider: 'engine_f' }, 'provider', 'INVALID_ENUM'],
    [{ translate: 'true' }, 'translate', 'INVALID_TYPE'],
    [{ kind: 'translation' }, 'kind', 'UNKNOWN_FIELD'],
  ])('with %j is 400 INVALID_REQUEST, and nothing is started', async (body, field, code) => {
    const refused = await start(body)
    expect([refused.status, refused.code]).toEqual([400, 'INVALID_REQUEST'])
    expect(refused.details).toEqual([[field, code]])
    expect((await plane.tenant.get(refused.path)).data.items).toEqual([])
  })

  // contract: startTranscription › A language that is not offered is refused with those that are
  test('in a language that is not offered lists those that are', async () => {
    const { text } = await start({ language: 'de-DE' })
    expect(text).toContain('ja-JP, en-US, zh-CN, zh-TW, ko-KR, th-TH, vi-VN')
  })

  // contract: startTranscription › 409 RECORDING_NOT_AVAILABLE in every state but available
  test.each(['started', 'paused', 'stopped', 'uploaded', 'expired', 'failed'] as const)(
    'of a recording that is %s is 409 RECORDING_NOT_AVAILABLE',
    async (status) => {
      const { recordingId } = await addRecordedRoom(plane, { status })
      const refused = await plane.tenant.post(pathOf(recordingId))
      expect([refused.status, refused.code]).toEqual([409, 'RECORDING_NOT_AVAILABLE'])
    },
  )

  // contract: startTranscription › 409 TRANSCRIPTION_IN_PROGRESS for the same recording, language
  //   and translate flag
  // contract: Error codes › 409 TRANSCRIPTION_IN_PROGRESS
  test.each(['sending_request', 'processing', 'retrying'] as const)(
    'while the same one is in %s is 409 TRANSCRIPTION_IN_PROGRESS, whatever the engine',
    async (status) => {
      const { path, data } = await start({ language: 'en-US' })
      await endTranscription(plane, data.id, status)
      const refused = await plane.tenant.post(path, { language: 'en-us', provider: 'engine_a' })
      expect([refused.status, refused.code]).toEqual([409, 'TRANSCRIPTION_IN_PROGRESS'])
      expect(refused.details).toEqual([['language', 'DUPLICATE']])
      expect(refused.text).toContain(`is in progress as transcription ${data.id}`)
    },
  )

  // contract: startTranscription › A re-run after the end
  test.each(['done', 'error', 'request_error'] as const)(
    'after one in %s starts another: that is a re-run',
    async (status) => {
      const { path, data } = await start()
      await endTranscription(plane, data.id, status)
      const again = await plane.tenant.post(path)
      expect(again.status).toBe(201)
      expect(again.data.id).not.toBe(data.id)
    },
  )

  // contract: startTranscription › Another language, and a translation, go beside it
  test('in another language, and as a translation, goes beside it', async () => {
    const { path } = await start({ language: 'ja-JP' })
    expect((await plane.tenant.post(path, { language: 'en-US' })).status).toBe(201)
    expect((await plane.tenant.post(path, { language: 'ja-JP', translate: true })).status).toBe(201)
    expect((await plane.tenant.post(path, { language: 'ja-JP', translate: false })).status).toBe(
      409,
    )
  })

  // contract: startTranscription › 20 concurrent requests start one
  test('20 concurrent requests start one', async () => {
    const { recordingId } = await addRecordedRoom(plane)
    const answers = await Promise.all(
      Array.from({ length: 20 }, () => plane.tenant.post(pathOf(recordingId))),
    )
    expect(answers.filter(({ status }) => status === 201)).toHaveLength(1)
    expect(answers.filter(({ code }) => code === 'TRANSCRIPTION_IN_PROGRESS')).toHaveLength(19)
  })

  // contract: Idempotency › Transcriptions: concurrent requests with one key start one
  // contract: startTranscription › Idempotency-Key: 422 IDEMPOTENCY_KEY_CONFLICT for another body
  test('with an Idempotency-Key starts one for 20 twins, and answers all of them the same', async () => {
    const { recordingId } = await addRecordedRoom(plane)
    const headers = { 'idempotency-key': randomUUID() }
    const answers = await Promise.all(
      Array.from({ length: 20 }, () => plane.tenant.post(pathOf(recordingId), {}, headers)),
    )
    const seen = answers.map(
      (one) => `${one.status} ${String(one.headers['location'])} ${one.text}`,
    )
    expect(new Set(seen).size).toBe(1)
    expect(answers[0]?.status).toBe(201)
    const conflict = await plane.tenant.post(pathOf(recordingId), { translate: true }, headers)
    expect([conflict.status, conflict.code]).toEqual([422, 'IDEMPOTENCY_KEY_CONFLICT'])
  })

  test('while the recording is deleted is started and deleted with it, or 404', async () => {
    const { recordingId } = await addRecordedRoom(plane)
    const [started, deleted] = await Promise.all([
      plane.tenant.post(pathOf(recordingId)),
      plane.tenant.delete(`/recordings/${recordingId}`),
    ])
    expect([201, 404]).toContain(started.status)
    expect(deleted.status).toBe(204)
    const rows = await plane.database.db`
      select 1 from transcriptions where recording_id = ${recordingId}
    `
    expect(rows).toEqual([])
  })
})

describe('GET /recordings/{recording_id}/transcriptions', () => {
  // contract: listTranscriptions › 200, list of Transcriptions, created_at ascending, `cursor`,
  //   `limit`
  test('lists them, oldest first, page by page', async () => {
    const { recordingId } = await addRecordedRoom(plane)
    const path = pathOf(recordingId)
    const ids: string[] = []
    for (const language of ['vi-VN', 'ja-JP', 'th-TH']) {
      ids.push((await plane.tenant.post(path, { language })).data.id)
    }
    const first = await plane.tenant.get(`${path}?limit=2`)
    const second = await plane.tenant.get(`${path}?limit=2&cursor=${first.data.next_cursor}`)
    const listed = [...first.data.items, ...second.data.items]
    expect(listed.map(({ id }: { id: string }) => id)).toEqual(ids)
    expect(second.data).toMatchObject({ next_cursor: null, has_more: false })
  })

  // contract: listTranscriptions › `result_url` in the list, too
  test('gives the done ones the address of their result', async () => {
    const { path, data } = await start()
    await endTranscription(plane, data.id, 'done')
    await plane.tenant.post(path)
    const { items } = (await plane.tenant.get(path)).data
    expect(items.map((item: { result_url: string | null }) => item.result_url)).toEqual([
      expect.stringContaining(`/transcripts/${data.id}`),
      null,
    ])
  })

  // contract: listTranscriptions › One row in the access log for each address that is answered
  test('leaves a row in the access log for each address, and none for those on the next page', async () => {
    const { recordingId } = await addRecordedRoom(plane)
    const ids: string[] = []
    for (const [language, status] of [
      ['vi-VN', 'done'],
      ['ja-JP', 'error'],
      ['th-TH', 'done'],
      ['ko-KR', 'done'],
    ] as const) {
      const { data } = await plane.tenant.post(pathOf(recordingId), { language })
      await endTranscription(plane, data.id, status)
      ids.push(data.id)
    }
    await plane.tenant.get(`${pathOf(recordingId)}?limit=3`)
    const logged = await accessesOf(recordingId)
    expect(logged.map((row) => row['transcription_id'])).toEqual([ids[0], ids[2]])
  })

  // contract: listTranscriptions › None without an address
  test('without an address leaves no row in the access log', async () => {
    const { recordingId, path } = await start()
    expect((await plane.tenant.get(path)).data.items).toHaveLength(1)
    expect(await accessesOf(recordingId)).toEqual([])
  })

  // contract: listTranscriptions › 400 INVALID_REQUEST for `limit`, `cursor`, unknown parameters
  test.each([
    ['limit=101', 'limit', 'OUT_OF_RANGE'],
    ['cursor=abc', 'cursor', 'INVALID_FORMAT'],
    ['language=ja-JP', 'language', 'UNKNOWN_FIELD'],
  ])('with %s is 400 INVALID_REQUEST', async (query, field, code) => {
    const { recordingId } = await addRecordedRoom(plane)
    const refused = await plane.tenant.get(`${pathOf(recordingId)}?${query}`)
    expect([refused.status, refused.code, refused.details]).toEqual([
      400,
      'INVALID_REQUEST',
      [[field, code]],
    ])
  })
})

describe('GET /transcriptions/{transcription_id}', () => {
  // contract: Fields of a Transcription › `result_url` only when done, signed for 3600 seconds
  //   (`RESULT_URL_LIFE_SEC`) from the read
  // contract: getTranscription › 200 Transcription
  // contract: Limits › Transcription `result_url`: 3600 seconds
  test('of a done one has a signed address of the result that lives 3600 seconds from this read', async () => {
    const { data } = await start()
    await endTranscription(plane, data.id, 'done')
    const answer = await plane.tenant.get(`/transcriptions/${data.id}`)
    expect(answer.data).toMatchObject({ id: data.id, status: 'done' })
    const { searchParams } = new URL(answer.data.result_url)
    expect(Object.fromEntries(searchParams)).toMatchObject({
      method: 'GET',
      expires: new Date(plane.now.getTime() + 3_600_000).toISOString(),
      mime: 'text/vtt; charset=utf-8',
      fileName: `transcription-${data.id}.vtt`,
    })
  })

  // contract: getTranscription › One row in the access log for each address
  test('leaves one row in the access log for each address', async () => {
    const { data, recordingId } = await start()
    await endTranscription(plane, data.id, 'done')
    const ask = () => plane.tenant.get(`/transcriptions/${data.id}`)
    await ask()
    const row = {
      tenant_id: plane.tenant.tenantId,
      transcription_id: data.id,
      processed_recording_id: null,
      issued_at: plane.now,
      expires_at: new Date(plane.now.getTime() + 3_600_000),
    }
    expect(await accessesOf(recordingId)).toEqual([row])
    await Promise.all([ask(), ask()])
    expect(await accessesOf(recordingId)).toEqual([row, row, row])
  })

  // contract: getTranscription › The access log outlives the recording
  test('keeps the access log when the recording is deleted', async () => {
    const { data, recordingId } = await start()
    await endTranscription(plane, data.id, 'done')
    await plane.tenant.get(`/transcriptions/${data.id}`)
    await plane.tenant.delete(`/recordings/${recordingId}`)
    expect((await plane.tenant.get(`/transcriptions/${data.id}`)).status).toBe(404)
    expect(await accessesOf(recordingId)).toHaveLength(1)
  })

  test('while the recording is deleted gives an address that is logged, or 404', async () => {
    const { data, recordingId } = await start()
    await endTranscription(plane, data.id, 'done')
    const [answer, deleted] = await Promise.all([
      plane.tenant.get(`/transcriptions/${data.id}`),
      plane.tenant.delete(`/recordings/${recordingId}`),
    ])
    expect([200, 404]).toContain(answer.status)
    expect(deleted.status).toBe(204)
    expect(await accessesOf(recordingId)).toHaveLength(answer.status === 200 ? 1 : 0)
  })

  test('offers no HEAD, which would be logged without giving an address', async () => {
    const { path, data, recordingId } = await start()
    await endTranscription(plane, data.id, 'done')
    for (const one of [path, `/transcriptions/${data.id}`]) {
      const head = await plane.app.inject({
        method: 'HEAD',
        url: `/api/v1${one}`,
        headers: { authorization: plane.tenant.authorization },
      })
      expect(head.statusCode).toBe(405)
    }
    expect(await accessesOf(recordingId)).toEqual([])
  })

  // contract: Fields of a Transcription › `result_url` is null in every other state, and no text
  //   of a failure is shown
  test.each(['processing', 'retrying', 'error', 'request_error'] as const)(
    'in %s has no URL, and of its failure at most the reason of an attempt',
    async (status) => {
      const { data, recordingId } = await start()
      await endTranscription(plane, data.id, status)
      const answer = await plane.tenant.get(`/transcriptions/${data.id}`)
      expect(answer.data).toEqual({ ...data, status, attempts: [expect.any(Object)] })
      expect(await accessesOf(recordingId)).toEqual([])
    },
  )

  // contract: getTranscription › 404 NOT_FOUND
  test.each(['abc', randomUUID()])('answers 404 for %s', async (id) => {
    expect(await plane.tenant.get(`/transcriptions/${id}`)).toMatchObject({
      status: 404,
      code: 'NOT_FOUND',
    })
  })
})

describe('transcriptions of another tenant', () => {
  // contract: listTranscriptions, getTranscription › Other tenant: 404 NOT_FOUND
  // contract: startTranscription › Other tenant: 404 NOT_FOUND, and nothing is started
  test('answer 404 to everything, byte for byte like unknown ones', async () => {
    const { data, path, recordingId } = await start()
    await endTranscription(plane, data.id, 'done')
    const pairs = [
      [`/transcriptions/${data.id}`, `/transcriptions/${randomUUID()}`],
      [path, pathOf(randomUUID())],
    ] as const
    for (const [foreign, unknown] of pairs) {
      const answer = await plane.other.get(foreign)
      expect(answer.status).toBe(404)
      expect(answer.text).toBe((await plane.other.get(unknown)).text)
    }
    const refused = await plane.other.post(path, { language: 'en-US' })
    expect(refused.status).toBe(404)
    expect(refused.text).toBe((await plane.other.post(pathOf(randomUUID()))).text)
    expect(await accessesOf(recordingId)).toEqual([])
    expect((await plane.tenant.get(path)).data.items).toHaveLength(1)
  })
})
