import { randomUUID } from 'node:crypto'
import type { ChatContentType, Visibility } from '@interview-room/contract/vocabulary.ts'
import { describe, expect, test } from 'vitest'
import { inTransaction, type Tx } from '../db/db.ts'
import { nextRoomMoment } from '../rooms/room-clock.ts'
import { deleteObjectsJob } from '../storage/delete-objects.job.ts'
import { useControlPlane } from '../testing/control-plane.ts'
import { waitFor } from '../testing/wait-for.ts'
import { sweepTombstonesJob } from './sweep-tombstones.job.ts'

const plane = useControlPlane()

interface Message {
  id?: string
  visibility?: Visibility
  contentType?: ChatContentType
  text?: string | null
  attachment?: { key: string; name: string; mime: string; size: number }
}

/** A message as its sender's transaction writes it: under the room's shared lock, at its moment. */
async function send(tx: Tx, roomId: string, message: Message): Promise<string> {
  const { id = randomUUID(), visibility = 'public', contentType = 'text', attachment } = message
  const { text = 'こんにちは' } = message
  await tx`select 1 from rooms where id = ${roomId} for share`
  const { seq, at } = await nextRoomMoment(tx, roomId)
  await tx`
    insert into chat_messages (room_id, id, tenant_id, seq, visibility, participant_id, sender_name,
                               content_type, text, attachment_key, attachment_name,
                               attachment_mime, attachment_size, created_at)
    values (${roomId}, ${id}, ${plane.tenant.tenantId}, ${seq}, ${visibility}, null, '花子',
            ${contentType}, ${text}, ${attachment?.key ?? null}, ${attachment?.name ?? null},
            ${attachment?.mime ?? null}, ${attachment?.size ?? null}, ${at})
  `
  return id
}

async function addMessage(roomId: string, message: Message = {}): Promise<string> {
  return inTransaction(plane.database.db, (tx) => send(tx, roomId, message))
}

async function addFile(roomId: string, mime: string): Promise<{ id: string; key: string }> {
  const key = `${plane.tenant.tenantId}/chat/${randomUUID()}`
  plane.storage.objects.set(key, { body: Buffer.from('file'), mime })
  const attachment = { key, name: '履歴書.pdf', mime, size: 4 }
  const id = await addMessage(roomId, { contentType: 'file', text: null, attachment })
  return { id, key }
}

const pathOf = (roomId: string, query = '') => `/rooms/${roomId}/chat-messages${query}`

async function idsOf(roomId: string, query = ''): Promise<string[]> {
  const { data } = await plane.tenant.get(pathOf(roomId, query))
  return data.items.map((message: { id: string }) => message.id)
}

const eventsOf = async (roomId: string) => [
  ...(await plane.database
    .db`select event_type, payload from room_events where room_id = ${roomId} order by seq`),
]

const tombstonesOf = async (roomId: string) => {
  const rows = await plane.database.db`select id from chat_tombstones where room_id = ${roomId}`
  return rows.map((row) => String(row['id'])).toSorted()
}

const keyIdOf = ({ authorization }: { authorization: string }) =>
  authorization.replace('ApiKey ', '').split('.')[0]

describe('GET /rooms/{room_id}/chat-messages', () => {
  test('answers the messages with every field, in order of creation', async () => {
    const { id: roomId } = await plane.book()
    const text = await addMessage(roomId)
    const stamp = await addMessage(roomId, {
      visibility: 'private',
      contentType: 'stamp',
      text: 'ok',
    })
    const answer = await plane.tenant.get(pathOf(roomId))
    expect(answer.status).toBe(200)
    const common = {
      participant_id: null,
      sender_name: '花子',
      attachment: null,
      created_at: expect.stringMatching(/^\d{4}-.*Z$/),
    }
    expect(answer.data).toEqual({
      items: [
        { ...common, id: text, visibility: 'public', content_type: 'text', text: 'こんにちは' },
        { ...common, id: stamp, visibility: 'private', content_type: 'stamp', text: 'ok' },
      ],
      next_cursor: null,
      has_more: false,
    })
  })

  test('gives every file a URL of 900 seconds and never the key itself', async () => {
    const { id: roomId } = await plane.book()
    const { id, key } = await addFile(roomId, 'application/pdf')
    const { data, text } = await plane.tenant.get(pathOf(roomId))
    expect(data.items).toMatchObject([
      {
        id,
        text: null,
        attachment: {
          url: expect.any(String),
          name: '履歴書.pdf',
          mime: 'application/pdf',
          size: 4,
        },
      },
    ])
    expect(Object.keys(data.items[0].attachment)).toEqual(['url', 'name', 'mime', 'size'])
    const url = new URL(data.items[0].attachment.url)
    expect(url.pathname).toBe(`/${key}`)
    expect(url.searchParams.get('method')).toBe('GET')
    expect(url.searchParams.get('fileName')).toBe('履歴書.pdf')
    const expires = new Date(url.searchParams.get('expires') ?? '').getTime()
    expect(expires - plane.now.getTime()).toBe(900_000)
    expect(text).not.toContain('attachment_key')
  })

  test.each([
    ['image/png', 'inline'],
    ['image/jpeg', 'inline'],
    ['image/svg+xml', 'attachment'],
    ['text/html', 'attachment'],
    ['application/pdf', 'attachment'],
  ])('lets a browser treat %s as %s', async (mime, disposition) => {
    const { id: roomId } = await plane.book()
    await addFile(roomId, mime)
    const { data } = await plane.tenant.get(pathOf(roomId))
    const url = new URL(data.items[0].attachment.url)
    expect(url.searchParams.get('disposition')).toBe(disposition)
  })

  test('works while the storage is down, for signing needs nobody', async () => {
    const { id: roomId } = await plane.book()
    await addFile(roomId, 'image/png')
    plane.storage.isDown = true
    const { status } = await plane.tenant.get(pathOf(roomId))
    plane.storage.isDown = false
    expect(status).toBe(200)
  })

  test('filters by visibility; without a filter shows all of them', async () => {
    const { id: roomId } = await plane.book()
    const shown = await addMessage(roomId, { visibility: 'public' })
    const closed = await addMessage(roomId, { visibility: 'private' })
    const hidden = await addMessage(roomId, { visibility: 'observer_only' })
    expect(await idsOf(roomId)).toEqual([shown, closed, hidden])
    expect(await idsOf(roomId, '?visibility=public')).toEqual([shown])
    expect(await idsOf(roomId, '?visibility=private')).toEqual([closed])
    expect(await idsOf(roomId, '?visibility=observer_only')).toEqual([hidden])
  })

  test('goes on behind the cursor, with a filter, too', async () => {
    const { id: roomId } = await plane.book()
    const sent: string[] = []
    for (let at = 0; at < 5; at += 1) {
      sent.push(await addMessage(roomId))
      await addMessage(roomId, { visibility: 'private' })
    }
    const seen: string[] = []
    let query = '?visibility=public&limit=2'
    for (;;) {
      const { data } = await plane.tenant.get(pathOf(roomId, query))
      seen.push(...data.items.map((message: { id: string }) => message.id))
      if (!data.has_more) break
      query = `?visibility=public&limit=2&cursor=${data.next_cursor}`
    }
    expect(seen).toEqual(sent)
  })

  test('of a closed room stay readable', async () => {
    const { id: roomId } = await plane.book()
    const id = await addMessage(roomId)
    await plane.tenant.post(`/rooms/${roomId}/close`)
    expect(await idsOf(roomId)).toEqual([id])
  })
})

describe('GET /rooms/{room_id}/chat-messages refuses', () => {
  test.each([
    ['visibility=everyone', ['visibility', 'INVALID_ENUM']],
    ['visibility=', ['visibility', 'INVALID_ENUM']],
    ['visibility=public&visibility=private', ['visibility', 'INVALID_TYPE']],
    ['limit=101', ['limit', 'OUT_OF_RANGE']],
    ['cursor=AAAA', ['cursor', 'INVALID_FORMAT']],
    ['sender=x', ['sender', 'UNKNOWN_FIELD']],
  ])('%s with 400 INVALID_REQUEST', async (query, detail) => {
    const { id } = await plane.book()
    const refused = await plane.tenant.get(pathOf(id, `?${query}`))
    expect(refused).toMatchObject({ status: 400, code: 'INVALID_REQUEST', details: [detail] })
  })

  test('a room of another tenant with 404, byte for byte like an unknown or malformed id', async () => {
    const { id } = await plane.book()
    await addMessage(id)
    const foreign = await plane.other.get(pathOf(id))
    expect([foreign.status, foreign.code]).toEqual([404, 'NOT_FOUND'])
    for (const unknown of [randomUUID(), 'abc']) {
      expect((await plane.other.get(pathOf(unknown))).text).toBe(foreign.text)
    }
  })
})

describe('DELETE /rooms/{room_id}/chat-messages', () => {
  test('deletes all messages of the room and records how many, and by which API key', async () => {
    const [room, other] = [await plane.book(), await plane.book()]
    const ids = [
      await addMessage(room.id),
      await addMessage(room.id, { visibility: 'private' }),
      await addMessage(room.id, { visibility: 'observer_only' }),
    ]
    const kept = await addMessage(other.id)
    const answer = await plane.tenant.delete(pathOf(room.id))
    expect([answer.status, answer.text]).toEqual([204, ''])
    expect(await idsOf(room.id)).toEqual([])
    expect(await idsOf(other.id)).toEqual([kept])
    expect(await tombstonesOf(room.id)).toEqual(ids.toSorted())
    const payload = { count: 3, requester: keyIdOf(plane.tenant) }
    expect(await eventsOf(room.id)).toEqual([{ event_type: 'chat.purged', payload }])
  })

  test('with a visibility deletes only these, and the record says which', async () => {
    const { id: roomId } = await plane.book()
    const kept = await addMessage(roomId)
    const purged = await addMessage(roomId, { visibility: 'private' })
    expect((await plane.tenant.delete(pathOf(roomId, '?visibility=private'))).status).toBe(204)
    expect(await idsOf(roomId)).toEqual([kept])
    expect(await tombstonesOf(roomId)).toEqual([purged])
    const payload = { count: 1, requester: keyIdOf(plane.tenant), visibility: 'private' }
    expect(await eventsOf(roomId)).toEqual([{ event_type: 'chat.purged', payload }])
  })

  test('of no message answers 204, and is recorded with the count 0', async () => {
    const { id: roomId } = await plane.book()
    expect((await plane.tenant.delete(pathOf(roomId))).status).toBe(204)
    expect(await eventsOf(roomId)).toMatchObject([
      { event_type: 'chat.purged', payload: { count: 0 } },
    ])
  })

  test('of a closed room is possible', async () => {
    const { id: roomId } = await plane.book()
    await addMessage(roomId)
    await plane.tenant.post(`/rooms/${roomId}/close`)
    expect((await plane.tenant.delete(pathOf(roomId))).status).toBe(204)
    expect(await idsOf(roomId)).toEqual([])
  })

  test('deletes the files by a job, when the storage is there', async () => {
    const { id: roomId } = await plane.book()
    const files = [await addFile(roomId, 'image/png'), await addFile(roomId, 'application/pdf')]
    plane.storage.isDown = true
    expect((await plane.tenant.delete(pathOf(roomId))).status).toBe(204)
    plane.storage.isDown = false
    const jobs = await plane.database
      .db`select key, payload from jobs where kind = 'delete-objects'`
    expect(jobs).toHaveLength(1)
    for (const { key, payload } of jobs) {
      const signal = new AbortController().signal
      const run = { key, payload, attempt: 1, signal, log: plane.deps.log }
      expect(await deleteObjectsJob(plane.deps).run(run)).toEqual({ outcome: 'done' })
    }
    for (const { key } of files) expect(plane.storage.objects.has(key)).toBe(false)
  })

  test('with an Idempotency-Key purges once: what was sent since then stays', async () => {
    const { id: roomId } = await plane.book()
    await addMessage(roomId)
    const headers = { 'idempotency-key': randomUUID() }
    const first = await plane.tenant.delete(pathOf(roomId), headers)
    const later = await addMessage(roomId)
    const second = await plane.tenant.delete(pathOf(roomId), headers)
    expect([first.status, second.status]).toEqual([204, 204])
    expect(second.text).toBe(first.text)
    expect(second.headers['idempotent-replayed']).toBe('true')
    expect(await idsOf(roomId)).toEqual([later])
    expect(await eventsOf(roomId)).toHaveLength(1)
  })

  test('twenty times at once with one key purges once', async () => {
    const { id: roomId } = await plane.book()
    await addMessage(roomId)
    const headers = { 'idempotency-key': randomUUID() }
    const answers = await Promise.all(
      Array.from({ length: 20 }, () => plane.tenant.delete(pathOf(roomId), headers)),
    )
    expect(answers.map(({ status }) => status)).toEqual(Array.from({ length: 20 }, () => 204))
    expect(await eventsOf(roomId)).toMatchObject([{ payload: { count: 1 } }])
  })

  test('that races senders leaves every message either purged or sent after it', async () => {
    for (let round = 0; round < 10; round += 1) {
      const { id: roomId } = await plane.book()
      const senders = Array.from({ length: 6 }, () => addMessage(roomId))
      const purge = plane.tenant.delete(pathOf(roomId))
      const [sent, { status }] = await Promise.all([Promise.all(senders), purge])
      expect(status).toBe(204)
      const [event] = await plane.database.db`
        select seq, payload from room_events where room_id = ${roomId}
      `
      const left = await plane.database.db`
        select id::text as id, seq from chat_messages where room_id = ${roomId}
      `
      const purged = await tombstonesOf(roomId)
      expect(event?.['payload']['count']).toBe(purged.length)
      expect(left.every((row) => row['seq'] > event?.['seq'])).toBe(true)
      const all = [...purged, ...left.map((row) => String(row['id']))]
      expect(all.toSorted()).toEqual(sent.toSorted())
    }
  })

  test('waits for a message that is being sent, and purges it', async () => {
    const { id: roomId } = await plane.book()
    const { db } = plane.database
    const isQueued = async () => {
      const waiting = await db`
        select 1 from pg_stat_activity
         where datname = current_database() and wait_event_type = 'Lock'
      `
      return waiting.length > 0
    }
    let purge: ReturnType<typeof plane.tenant.delete> | undefined
    const id = await inTransaction(db, async (tx) => {
      const sending = await send(tx, roomId, {})
      purge = plane.tenant.delete(pathOf(roomId))
      await waitFor(isQueued)
      return sending
    })
    expect((await purge)?.status).toBe(204)
    expect(await idsOf(roomId)).toEqual([])
    expect(await tombstonesOf(roomId)).toEqual([id])
  })
})

describe('DELETE /rooms/{room_id}/chat-messages refuses', () => {
  test.each([
    ['visibility=everyone', ['visibility', 'INVALID_ENUM']],
    ['limit=1', ['limit', 'UNKNOWN_FIELD']],
    ['id=x', ['id', 'UNKNOWN_FIELD']],
  ])('%s with 400 INVALID_REQUEST, and deletes nothing', async (query, detail) => {
    const { id: roomId } = await plane.book()
    const id = await addMessage(roomId)
    const refused = await plane.tenant.delete(pathOf(roomId, `?${query}`))
    expect(refused).toMatchObject({ status: 400, code: 'INVALID_REQUEST', details: [detail] })
    expect(await idsOf(roomId)).toEqual([id])
  })

  test('an Idempotency-Key of another scope with 422, and deletes nothing', async () => {
    const { id: roomId } = await plane.book()
    const headers = { 'idempotency-key': randomUUID() }
    await plane.tenant.delete(pathOf(roomId, '?visibility=private'), headers)
    const id = await addMessage(roomId)
    const refused = await plane.tenant.delete(pathOf(roomId), headers)
    expect([refused.status, refused.code]).toEqual([422, 'IDEMPOTENCY_KEY_CONFLICT'])
    expect(await idsOf(roomId)).toEqual([id])
  })

  test('a room of another tenant with 404, byte for byte like an unknown one, and deletes nothing', async () => {
    const { id: roomId } = await plane.book()
    const id = await addMessage(roomId)
    const foreign = await plane.other.delete(pathOf(roomId))
    expect([foreign.status, foreign.code]).toEqual([404, 'NOT_FOUND'])
    for (const unknown of [randomUUID(), 'abc']) {
      expect((await plane.other.delete(pathOf(unknown))).text).toBe(foreign.text)
    }
    expect(await idsOf(roomId)).toEqual([id])
    expect(await eventsOf(roomId)).toEqual([])
  })
})

describe('the tombstones of purged messages', () => {
  test('are kept for thirty days', async () => {
    const { id: roomId } = await plane.book()
    const [old, young] = [await addMessage(roomId), await addMessage(roomId)]
    await plane.tenant.delete(pathOf(roomId))
    const { db } = plane.database
    const age = (id: string, interval: string) => db`
      update chat_tombstones set purged_at = clock_timestamp() - ${interval}::interval
       where room_id = ${roomId} and id = ${id}
    `
    await age(old, '30 days 1 minute')
    await age(young, '29 days 23 hours')
    const signal = new AbortController().signal
    const run = { key: 'all', payload: {}, attempt: 1, signal, log: plane.deps.log }
    const ended = await sweepTombstonesJob(plane.deps).run(run)
    expect(ended).toEqual({ outcome: 'again', at: new Date(plane.now.getTime() + 3_600_000) })
    expect(await tombstonesOf(roomId)).toEqual([young])
  })
})
