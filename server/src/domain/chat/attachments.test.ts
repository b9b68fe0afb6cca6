import { randomUUID } from 'node:crypto'
import { ATTACHMENT_EXTENSIONS } from '@interview-room/contract/limits.ts'
import { describe, expect, test } from 'vitest'
import { deleteObjectsJob } from '../../platform/storage/delete-objects.job.ts'
import { useControlPlane } from '../../testing/control-plane.ts'
import { IMAGES } from '../../testing/images.ts'
import { keyOf, PDF, type Said, said, type TestFile, upload } from '../../testing/live-chat.ts'
import { type Guest, useLiveRooms } from '../../testing/live-room.ts'
import { runJobs } from '../../testing/run-jobs.ts'
import type { Answer } from '../../testing/tenant-client.ts'
import { sweepUploadsJob } from './sweep-uploads.job.ts'

const plane = useControlPlane()
const live = useLiveRooms(plane)

const enter = async (): Promise<Guest> =>
  live.enter((await plane.book({ startsInMin: 1 })).id, 'moderator')

/** The body of a message that names the upload. */
const withFile = (attachmentId: string, more: Partial<Said> = {}) =>
  said({ content_type: 'file', attachment_id: attachmentId, ...more })

async function sendFile(guest: Guest, file: TestFile = {}) {
  const { attachmentId, key } = await upload(guest, plane.storage, file)
  const message = withFile(attachmentId, { visibility: file.visibility ?? 'public' })
  return { answer: await guest.post('/messages', message), message, key }
}

const PDF_FILE = { name: 'a.pdf', mime: 'application/pdf', size: 9, visibility: 'public' }
const keysOf = (kind: string) =>
  [...plane.storage.objects.keys()].filter((key) => key.includes(`/${kind}/`))
const deleteObjects = () => runJobs(plane.database.db, deleteObjectsJob(plane.deps))

const { png: PNG, jpg: JPEG, gif: GIF, webp: WEBP, bmp: BMP } = IMAGES
const ZIP = Buffer.from('504b030414000600', 'hex')
const COMPOUND = Buffer.from('d0cf11e0a1b11ae10000', 'hex')
const TEXT = Buffer.from('こんにちは、世界\n')
const OOXML = 'application/vnd.openxmlformats-officedocument'

/** One file of each allowed kind. */
const FILES: [name: string, mime: string, body: Buffer][] = [
  ['a.png', 'image/png', PNG],
  ['a.jpg', 'image/jpeg', JPEG],
  ['a.JPEG', 'image/jpeg', JPEG],
  ['a.gif', 'image/gif', GIF],
  ['a.webp', 'image/webp', WEBP],
  ['a.bmp', 'image/bmp', BMP],
  ['a.pdf', 'application/pdf', PDF],
  ['a.docx', `${OOXML}.wordprocessingml.document`, ZIP],
  ['a.xlsx', `${OOXML}.spreadsheetml.sheet`, ZIP],
  ['a.pptx', `${OOXML}.presentationml.presentation`, ZIP],
  ['a.doc', 'application/msword', COMPOUND],
  ['a.xls', 'application/vnd.ms-excel', COMPOUND],
  ['a.ppt', 'application/vnd.ms-powerpoint', COMPOUND],
  ['a.txt', 'text/plain', TEXT],
  ['a.csv', 'text/csv', TEXT],
]

describe('POST /rooms/{room_id}/live/attachments', () => {
  // contract: createAttachment › 201, `id` and `upload` (`url`, `expires_at`): a signed PUT for 15
  //   minutes
  test('answers 201 with a signed PUT that takes the file for 15 minutes, under a key of the tenant', async () => {
    const guest = await enter()
    const answer = await guest.post('/attachments', PDF_FILE)
    expect(answer.status).toBe(201)
    expect(Object.keys(answer.data)).toEqual(['id', 'upload'])
    const { url, expires_at } = answer.data.upload
    expect(keyOf(url)).toMatch(new RegExp(`^${plane.tenant.tenantId}/attachments/[0-9a-f-]{36}$`))
    const signed = new URL(url).searchParams
    expect([signed.get('method'), signed.get('maxBytes')]).toEqual(['PUT', '9'])
    expect(new Date(expires_at).getTime()).toBe(plane.now.getTime() + 15 * 60_000)
  })

  // contract: createAttachment › Kinds (`ATTACHMENT_EXTENSIONS`) and size (`ATTACHMENT_MAX_BYTES`)
  test('takes every allowed kind of file, also of exactly 20 MB', async () => {
    expect(FILES.map(([name]) => name.toLowerCase().replace('a.', '')).toSorted()).toEqual(
      [...ATTACHMENT_EXTENSIONS].toSorted(),
    )
    const answer = await (await enter()).post('/attachments', { ...PDF_FILE, size: 20_000_000 })
    expect(answer.status).toBe(201)
  })
})

describe('POST /rooms/{room_id}/live/attachments refuses', () => {
  // contract: createAttachment › 400 INVALID_REQUEST: `name` (`ATTACHMENT_NAME_MAX`), `mime`,
  //   `size`, `visibility`
  test.each<[string, object, [string, string][]]>([
    ['no name', { name: undefined }, [['name', 'REQUIRED']]],
    ['a name of 256 characters', { name: `${'a'.repeat(252)}.pdf` }, [['name', 'TOO_LONG']]],
    ['no bytes', { size: 0 }, [['size', 'OUT_OF_RANGE']]],
    ['half a byte', { size: 1.5 }, [['size', 'INVALID_TYPE']]],
    ['an invalid mime', { mime: 'pdf' }, [['mime', 'INVALID_FORMAT']]],
    ['an unknown visibility', { visibility: 'all' }, [['visibility', 'INVALID_ENUM']]],
    ['an unknown member', { url: 'x' }, [['url', 'UNKNOWN_FIELD']]],
  ])('%s with 400 INVALID_REQUEST', async (_what, change, details) => {
    const answer = await (await enter()).post('/attachments', { ...PDF_FILE, ...change })
    expect(answer).toMatchObject({ status: 400, code: 'INVALID_REQUEST', details })
  })

  // contract: createAttachment › 413 FILE_TOO_LARGE above 20 MB
  test('more than 20 MB with 413 FILE_TOO_LARGE', async () => {
    const answer = await (await enter()).post('/attachments', { ...PDF_FILE, size: 20_000_001 })
    expect(answer).toMatchObject({ status: 413, code: 'FILE_TOO_LARGE' })
    expect(answer.details).toEqual([['size', 'TOO_LARGE']])
  })

  // contract: createAttachment › 422 UNSUPPORTED_FILE_TYPE
  test.each([
    ['a.exe', 'application/x-msdownload', ['name', 'UNSUPPORTED_EXTENSION']],
    ['a.svg', 'image/svg+xml', ['name', 'UNSUPPORTED_EXTENSION']],
    ['a.html', 'text/html', ['name', 'UNSUPPORTED_EXTENSION']],
    ['a', 'application/pdf', ['name', 'UNSUPPORTED_EXTENSION']],
    ['../', 'application/pdf', ['name', 'UNSUPPORTED_EXTENSION']],
    ['a.pdf', 'text/html', ['mime', 'CONTENT_MISMATCH']],
    ['a.png', 'image/jpeg', ['mime', 'CONTENT_MISMATCH']],
  ])('%s as %s with 422 UNSUPPORTED_FILE_TYPE', async (name, mime, detail) => {
    const answer = await (await enter()).post('/attachments', { ...PDF_FILE, name, mime })
    expect(answer).toMatchObject({ status: 422, code: 'UNSUPPORTED_FILE_TYPE', details: [detail] })
  })

  // contract: createAttachment › 422 VALIDATION_ERROR on `visibility` for a role that does not send
  //   there
  test('a panelist who wants to send where panelists may not', async () => {
    const guest = await live.enter((await plane.book({ startsInMin: 1 })).id, 'panelist')
    const answer = await guest.post('/attachments', { ...PDF_FILE, visibility: 'observer_only' })
    expect(answer).toMatchObject({ status: 422, code: 'VALIDATION_ERROR' })
    expect(answer.details).toEqual([['visibility', 'NOT_ALLOWED']])
  })

  // contract: createAttachment › 401 UNAUTHORIZED, 409 PARTICIPANT_BANNED, 409 SESSION_RELEASED
  test('callers without admission', async () => {
    const guest = await enter()
    const url = `/api/v1/rooms/${guest.roomId}/live/attachments`
    const stranger = await plane.app.inject({ method: 'POST', url, payload: PDF_FILE })
    expect(stranger.json().error.code).toBe('UNAUTHORIZED')
    const banned = await live.enter(guest.roomId, 'panelist')
    const path = `/rooms/${guest.roomId}/participants/${banned.participantId}/ban`
    await plane.tenant.post(path, { reason: 'r' })
    expect((await banned.post('/attachments', PDF_FILE)).code).toBe('PARTICIPANT_BANNED')
    await plane.tenant.post(`/rooms/${guest.roomId}/close`)
    expect((await guest.post('/attachments', PDF_FILE)).code).toBe('SESSION_RELEASED')
  })

  // contract: listMessagesInRoom, createAttachment › 422 OUTSIDE_TIME_WINDOW after the window
  test('with 422 OUTSIDE_TIME_WINDOW after the window', async () => {
    const before = plane.now
    const endsAt = new Date(before.getTime() - 20 * 60_000)
    const startsAt = new Date(endsAt.getTime() - 60 * 60_000)
    const { roomId } = await live.acting.addRoom({ startsAt, endsAt })
    const guest = await live.enter(roomId, 'panelist')
    plane.now = new Date(before.getTime() + 11 * 60_000)
    const answers = [await guest.post('/attachments', PDF_FILE), await guest.get('/messages')]
    plane.now = before
    for (const { status, code } of answers)
      expect([status, code]).toEqual([422, 'OUTSIDE_TIME_WINDOW'])
  })
})

describe('a message with a file', () => {
  // contract: sendMessage › `attachment_id`: a signed address of what was uploaded; `url`, `name`,
  //   `mime`, `size`
  test('names it, with a signed address of what was uploaded', async () => {
    const guest = await enter()
    const { answer } = await sendFile(guest, { name: '../../履歴書.pdf' })
    expect(answer.status).toBe(201)
    const { url, ...attachment } = answer.data.attachment
    expect(attachment).toEqual({ name: '履歴書.pdf', mime: 'application/pdf', size: PDF.length })
    expect(answer.data.text).toBeNull()
    expect(plane.storage.objects.get(keyOf(url))?.body).toEqual(PDF)
    expect(new URL(url).searchParams.get('disposition')).toBe('attachment')
  })

  test('may have a caption', async () => {
    const guest = await enter()
    const { attachmentId } = await upload(guest, plane.storage)
    const answer = await guest.post('/messages', withFile(attachmentId, { text: '職務経歴' }))
    expect([answer.status, answer.data.text]).toEqual([201, '職務経歴'])
  })

  // contract: createAttachment › `name`, `mime`: each kind is known by its content
  test.each(FILES)('takes %s as %s, and knows it by its content', async (name, mime, body) => {
    const { answer } = await sendFile(await enter(), { name, mime, body })
    expect(answer.status).toBe(201)
    expect(answer.data.attachment).toMatchObject({ name, mime, size: body.length })
  })

  // contract: sendMessage › What is written to the upload afterwards changes nothing
  test('keeps the file as sent when the upload is overwritten later', async () => {
    const guest = await enter()
    const { answer, message, key } = await sendFile(guest)
    plane.storage.objects.set(key, { body: Buffer.from('<script>'), mime: 'text/html' })
    const { data } = await guest.post('/messages', message)
    expect(data.attachment.url).not.toContain(key)
    expect(plane.storage.objects.get(keyOf(answer.data.attachment.url))?.body).toEqual(PDF)
  })

  test('is absorbed when repeated with the same file, and leaves no copy', async () => {
    const guest = await enter()
    await deleteObjects()
    const before = keysOf('chat').length
    const { attachmentId } = await upload(guest, plane.storage)
    const message = withFile(attachmentId)
    const twins = await Promise.all([1, 2, 3].map(() => guest.post('/messages', message)))
    const again = await guest.post('/messages', message)
    const statuses = [...twins, again].map(({ status }) => status)
    expect(statuses.filter((status) => status === 201)).toHaveLength(1)
    expect(again.status).toBe(200)
    await deleteObjects()
    expect(keysOf('chat')).toHaveLength(before + 1)
    expect(keysOf('attachments').filter((key) => key.endsWith(attachmentId))).toEqual([])
  })

  test('with the same id and another file is 422 IDEMPOTENCY_KEY_CONFLICT', async () => {
    const guest = await enter()
    const { message } = await sendFile(guest)
    const { attachmentId } = await upload(guest, plane.storage)
    const answer = await guest.post('/messages', { ...message, attachment_id: attachmentId })
    expect([answer.status, answer.code]).toEqual([422, 'IDEMPOTENCY_KEY_CONFLICT'])
  })

  // contract: sendMessage › A purge deletes the objects
  test('is purged with its objects', async () => {
    const guest = await enter()
    const { answer, message, key } = await sendFile(guest)
    await plane.tenant.delete(`/rooms/${guest.roomId}/chat-messages`)
    await deleteObjects()
    expect(plane.storage.objects.has(keyOf(answer.data.attachment.url))).toBe(false)
    expect(plane.storage.objects.has(key)).toBe(false)
    const again = await guest.post('/messages', message)
    expect([again.status, again.data.attachment]).toEqual([200, null])
  })

  test.each(['head', 'copy'] as const)(
    'is absorbed when the first request takes the upload over before the %s of the repeat',
    async (call) => {
      const guest = await enter()
      const { attachmentId } = await upload(guest, plane.storage)
      const message = withFile(attachmentId)
      const before = keysOf('chat').length
      const { storage } = plane
      const original: (...args: never[]) => Promise<unknown> = storage[call]
      const first: Answer[] = []
      const behindTheFirst = async (...args: never[]) => {
        Object.assign(storage, { [call]: original })
        first.push(await guest.post('/messages', message))
        await deleteObjects()
        return original(...args)
      }
      Object.assign(storage, { [call]: behindTheFirst })
      const repeat = await guest.post('/messages', message)
      expect([first.map(({ status }) => status), repeat.status]).toEqual([[201], 200])
      expect(repeat.data.created_at).toBe(first[0]?.data.created_at)
      await deleteObjects()
      expect(keysOf('chat')).toHaveLength(before + 1)
    },
  )

  // contract: sendMessage › 409 UPLOAD_NOT_FOUND before the upload
  test('is 409 UPLOAD_NOT_FOUND before the upload, and is sent after it', async () => {
    const guest = await enter()
    const { data } = await guest.post('/attachments', PDF_FILE)
    const message = withFile(data.id)
    const early = await guest.post('/messages', message)
    expect([early.status, early.code]).toEqual([409, 'UPLOAD_NOT_FOUND'])
    plane.storage.objects.set(keyOf(data.upload.url), { body: PDF, mime: 'application/pdf' })
    expect((await guest.post('/messages', message)).status).toBe(201)
  })

  // contract: sendMessage › 409 UPLOAD_NOT_FOUND for what is not one's own
  test("is the same 409 for an unknown upload, a used one and somebody else's", async () => {
    const guest = await enter()
    const other = await live.enter(guest.roomId, 'moderator')
    const elsewhere = await enter()
    const { message: used } = await sendFile(guest)
    const answers = await Promise.all(
      [
        randomUUID(),
        used.attachment_id ?? '',
        (await upload(other, plane.storage)).attachmentId,
        (await upload(elsewhere, plane.storage)).attachmentId,
      ].map((id) => guest.post('/messages', withFile(id))),
    )
    for (const { status, text } of answers) {
      expect([status, text]).toEqual([409, answers[0]?.text])
    }
  })

  test('of one upload is sent once when two messages name it', async () => {
    const guest = await enter()
    const { attachmentId } = await upload(guest, plane.storage)
    const answers = await Promise.all(
      [1, 2, 3].map(() => guest.post('/messages', withFile(attachmentId))),
    )
    expect(answers.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([201, 409, 409])
  })

  test('is sent only to the visibility it was uploaded for: 422 VALIDATION_ERROR', async () => {
    const guest = await enter()
    const { attachmentId } = await upload(guest, plane.storage, { visibility: 'private' })
    const answer = await guest.post('/messages', withFile(attachmentId, { visibility: 'public' }))
    expect(answer).toMatchObject({ status: 422, code: 'VALIDATION_ERROR' })
    expect(answer.details).toEqual([['visibility', 'NOT_ALLOWED']])
  })

  // contract: sendMessage › 413 FILE_TOO_LARGE by the measured size
  test('of more than 20 MB is 413 FILE_TOO_LARGE, regardless of the declared size', async () => {
    const guest = await enter()
    const { attachmentId, key } = await upload(guest, plane.storage)
    const body = Buffer.concat([PDF, Buffer.alloc(20_000_001 - PDF.length)])
    plane.storage.objects.set(key, { body, mime: 'application/pdf' })
    const answer = await guest.post('/messages', withFile(attachmentId))
    expect([answer.status, answer.code]).toEqual([413, 'FILE_TOO_LARGE'])
  })

  // contract: sendMessage › 422 UNSUPPORTED_FILE_TYPE by the content
  test.each([
    ['a.pdf', 'application/pdf', ZIP],
    ['a.png', 'image/png', JPEG],
    ['a.webp', 'image/webp', PNG],
    ['a.docx', `${OOXML}.wordprocessingml.document`, PDF],
    ['a.doc', 'application/msword', ZIP],
    ['a.txt', 'text/plain', Buffer.from('MZ\0\0')],
    ['a.csv', 'text/csv', PNG],
    ['a.txt', 'text/plain', Buffer.alloc(0)],
  ])(
    'that says %s (%s) but is not is 422 UNSUPPORTED_FILE_TYPE, and no copy is kept',
    async (name, mime, body) => {
      const guest = await enter()
      await deleteObjects()
      const before = keysOf('chat').length
      const { attachmentId, key } = await upload(guest, plane.storage, { name, mime, body: PDF })
      plane.storage.objects.set(key, { body, mime })
      const answer = await guest.post('/messages', withFile(attachmentId))
      expect(answer).toMatchObject({ status: 422, code: 'UNSUPPORTED_FILE_TYPE' })
      expect(answer.details).toEqual([['attachment_id', 'CONTENT_MISMATCH']])
      await deleteObjects()
      expect(keysOf('chat')).toHaveLength(before)
    },
  )

  test('is 503 SERVICE_UNAVAILABLE while the storage is down, but a text is sent', async () => {
    const guest = await enter()
    const { attachmentId } = await upload(guest, plane.storage)
    const message = withFile(attachmentId)
    plane.storage.isDown = true
    const answer = await guest.post('/messages', message)
    const text = await guest.post('/messages', said())
    plane.storage.isDown = false
    expect([answer.status, answer.code, text.status]).toEqual([503, 'SERVICE_UNAVAILABLE', 201])
    expect((await guest.post('/messages', message)).status).toBe(201)
  })
})

describe('the clean-up of uploads', () => {
  // contract: createAttachment › What no message named is removed after a day
  test('removes uploads after a day if no message named them, or if they were overwritten after it did', async () => {
    const guest = await enter()
    const unused = await upload(guest, plane.storage)
    const { answer, key: usedKey } = await sendFile(guest)
    plane.storage.objects.set(usedKey, { body: PDF, mime: 'application/pdf' })
    const { db } = plane.database
    await db`update chat_attachments set created_at = created_at - interval '25 hours'`
    const young = await upload(guest, plane.storage)
    await db`insert into jobs (kind, key, payload) values ('sweep-chat-uploads', 'all', '{}')`
    await runJobs(db, sweepUploadsJob(plane.deps))
    await deleteObjects()
    expect([unused.key, usedKey, young.key].map((key) => plane.storage.objects.has(key))).toEqual([
      false,
      false,
      true,
    ])
    expect(plane.storage.objects.has(keyOf(answer.data.attachment.url))).toBe(true)
    const late = await guest.post('/messages', withFile(unused.attachmentId))
    expect([late.status, late.code]).toEqual([409, 'UPLOAD_NOT_FOUND'])
  })

  test('runs every hour', async () => {
    const { signal } = new AbortController()
    const job = sweepUploadsJob(plane.deps)
    const run = { key: 'all', payload: {}, attempt: 1, signal, log: plane.deps.log }
    expect(await job.run(run)).toEqual({
      outcome: 'again',
      at: new Date(plane.now.getTime() + 3_600_000),
    })
  })
})
