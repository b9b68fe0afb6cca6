import { randomUUID } from 'node:crypto'
import { describe, expect, test } from 'vitest'
import { inTransaction } from '../../platform/db/db.ts'
import { deleteObjectsJob } from '../../platform/storage/delete-objects.job.ts'
import { createTestChat } from '../../testing/chat-messages.ts'
import { useControlPlane } from '../../testing/control-plane.ts'
import { hasLockWait } from '../../testing/lock-waits.ts'
import { waitFor } from '../../testing/wait-for.ts'
import { sweepTombstonesJob } from './sweep-tombstones.job.ts'

const plane = useControlPlane()
const chat = createTestChat(plane)

const pathOf = (roomId: string, query = '') => `/rooms/${roomId}/chat-messages${query}`

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

describe('DELETE /rooms/{room_id}/chat-messages', () => {
  // contract: purgeChatMessages › 204; RoomEvent chat.purged with count and requester
  // contract: Fields of a RoomEvent › chat.purged: count, requester
  test('deletes all messages of the room, and records their number and the API key', async () => {
    const [room, other] = [await plane.book(), await plane.book()]
    const ids = [
      await chat.addMessage(room.id),
      await chat.addMessage(room.id, { visibility: 'private' }),
      await chat.addMessage(room.id, { visibility: 'observer_only' }),
    ]
    const kept = await chat.addMessage(other.id)
    const answer = await plane.tenant.delete(pathOf(room.id))
    expect([answer.status, answer.text]).toEqual([204, ''])
    expect(await chat.listIds(room.id)).toEqual([])
    expect(await chat.listIds(other.id)).toEqual([kept])
    expect(await tombstonesOf(room.id)).toEqual(ids.toSorted())
    const payload = { count: 3, requester: keyIdOf(plane.tenant) }
    expect(await eventsOf(room.id)).toEqual([{ event_type: 'chat.purged', payload }])
  })

  // contract: purgeChatMessages › `visibility` limits it
  test('with a visibility deletes only its messages, and records the visibility', async () => {
    const { id: roomId } = await plane.book()
    const kept = await chat.addMessage(roomId)
    const purged = await chat.addMessage(roomId, { visibility: 'private' })
    expect((await plane.tenant.delete(pathOf(roomId, '?visibility=private'))).status).toBe(204)
    expect(await chat.listIds(roomId)).toEqual([kept])
    expect(await tombstonesOf(roomId)).toEqual([purged])
    const payload = { count: 1, requester: keyIdOf(plane.tenant), visibility: 'private' }
    expect(await eventsOf(roomId)).toEqual([{ event_type: 'chat.purged', payload }])
  })

  // contract: purgeChatMessages › 204 also for no message
  test('of no message answers 204 and is recorded with the count 0', async () => {
    const { id: roomId } = await plane.book()
    expect((await plane.tenant.delete(pathOf(roomId))).status).toBe(204)
    expect(await eventsOf(roomId)).toMatchObject([
      { event_type: 'chat.purged', payload: { count: 0 } },
    ])
  })

  // contract: purgeChatMessages › Possible after the close
  test('of a closed room is possible', async () => {
    const { id: roomId } = await plane.book()
    await chat.addMessage(roomId)
    await plane.tenant.post(`/rooms/${roomId}/close`)
    expect((await plane.tenant.delete(pathOf(roomId))).status).toBe(204)
    expect(await chat.listIds(roomId)).toEqual([])
  })

  // contract: purgeChatMessages › Objects of files follow by a job
  test('deletes the files by a job once the storage is available', async () => {
    const { id: roomId } = await plane.book()
    const files = [
      await chat.addFile(roomId, 'image/png'),
      await chat.addFile(roomId, 'application/pdf'),
    ]
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

  // contract: purgeChatMessages › Idempotency-Key: a repeat purges nothing that was sent since then
  test('with an Idempotency-Key purges once: later messages stay', async () => {
    const { id: roomId } = await plane.book()
    await chat.addMessage(roomId)
    const headers = { 'idempotency-key': randomUUID() }
    const first = await plane.tenant.delete(pathOf(roomId), headers)
    const later = await chat.addMessage(roomId)
    const second = await plane.tenant.delete(pathOf(roomId), headers)
    expect([first.status, second.status]).toEqual([204, 204])
    expect(second.text).toBe(first.text)
    expect(second.headers['idempotent-replayed']).toBe('true')
    expect(await chat.listIds(roomId)).toEqual([later])
    expect(await eventsOf(roomId)).toHaveLength(1)
  })

  // contract: Idempotency › Chat purge: 20 concurrent requests with one key purge once
  test('twenty concurrent requests with one key purge once', async () => {
    const { id: roomId } = await plane.book()
    await chat.addMessage(roomId)
    const headers = { 'idempotency-key': randomUUID() }
    const answers = await Promise.all(
      Array.from({ length: 20 }, () => plane.tenant.delete(pathOf(roomId), headers)),
    )
    expect(answers.map(({ status }) => status)).toEqual(Array.from({ length: 20 }, () => 204))
    expect(await eventsOf(roomId)).toMatchObject([{ payload: { count: 1 } }])
  })

  // contract: purgeChatMessages › Every message is purged or was sent after it
  test('that races senders leaves every message either purged or sent after it', async () => {
    for (let round = 0; round < 10; round += 1) {
      const { id: roomId } = await plane.book()
      const senders = Array.from({ length: 6 }, () => chat.addMessage(roomId))
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
    let purge: ReturnType<typeof plane.tenant.delete> | undefined
    const id = await inTransaction(db, async (tx) => {
      const sending = await chat.send(tx, roomId)
      purge = plane.tenant.delete(pathOf(roomId))
      await waitFor(() => hasLockWait(db))
      return sending
    })
    expect((await purge)?.status).toBe(204)
    expect(await chat.listIds(roomId)).toEqual([])
    expect(await tombstonesOf(roomId)).toEqual([id])
  })
})

describe('DELETE /rooms/{room_id}/chat-messages refuses', () => {
  // contract: purgeChatMessages › 400 INVALID_REQUEST: `visibility`, unknown parameters (one
  //   message cannot be deleted)
  test.each([
    ['visibility=everyone', ['visibility', 'INVALID_ENUM']],
    ['limit=1', ['limit', 'UNKNOWN_FIELD']],
    ['id=x', ['id', 'UNKNOWN_FIELD']],
  ])('%s with 400 INVALID_REQUEST, and deletes nothing', async (query, detail) => {
    const { id: roomId } = await plane.book()
    const id = await chat.addMessage(roomId)
    const refused = await plane.tenant.delete(pathOf(roomId, `?${query}`))
    expect(refused).toMatchObject({ status: 400, code: 'INVALID_REQUEST', details: [detail] })
    expect(await chat.listIds(roomId)).toEqual([id])
  })

  // contract: purgeChatMessages › 400 INVALID_REQUEST for a filter in the body, which is no parameter
  test.each([
    [{ visibility: 'private' }, ['visibility', 'UNKNOWN_FIELD']],
    [['private'], ['body', 'INVALID_TYPE']],
    ['private', ['body', 'INVALID_TYPE']],
  ])('a filter in the body with 400, and deletes nothing: %j', async (body, detail) => {
    const { id: roomId } = await plane.book()
    const kept = await chat.addMessage(roomId)
    const answer = await plane.tenant.send({
      method: 'DELETE',
      url: `/api/v1${pathOf(roomId)}`,
      payload: JSON.stringify(body),
      headers: { 'content-type': 'application/json' },
    })
    expect(answer).toMatchObject({
      status: 400,
      code: 'INVALID_REQUEST',
      details: [detail],
    })
    expect(await chat.listIds(roomId)).toEqual([kept])
  })

  test('no empty body', async () => {
    const { id: roomId } = await plane.book()
    const url = `/api/v1${pathOf(roomId)}`
    const headers = { 'content-type': 'application/json' }
    for (const payload of ['', '{}', 'null']) {
      expect((await plane.tenant.send({ method: 'DELETE', url, payload, headers })).status).toBe(
        204,
      )
    }
  })

  // contract: Idempotency › Another query: 422 IDEMPOTENCY_KEY_CONFLICT
  // contract: purgeChatMessages › Idempotency-Key: 422 IDEMPOTENCY_KEY_CONFLICT for another scope
  test('an Idempotency-Key of another scope with 422, and deletes nothing', async () => {
    const { id: roomId } = await plane.book()
    const headers = { 'idempotency-key': randomUUID() }
    await plane.tenant.delete(pathOf(roomId, '?visibility=private'), headers)
    const id = await chat.addMessage(roomId)
    const refused = await plane.tenant.delete(pathOf(roomId), headers)
    expect([refused.status, refused.code]).toEqual([422, 'IDEMPOTENCY_KEY_CONFLICT'])
    expect(await chat.listIds(roomId)).toEqual([id])
  })

  // contract: purgeChatMessages › Other tenant: 404 NOT_FOUND, and deletes nothing
  test('a room of another tenant with 404, byte for byte as for an unknown one, and deletes nothing', async () => {
    const { id: roomId } = await plane.book()
    const id = await chat.addMessage(roomId)
    const foreign = await plane.other.delete(pathOf(roomId))
    expect([foreign.status, foreign.code]).toEqual([404, 'NOT_FOUND'])
    for (const unknown of [randomUUID(), 'abc']) {
      expect((await plane.other.delete(pathOf(unknown))).text).toBe(foreign.text)
    }
    expect(await chat.listIds(roomId)).toEqual([id])
    expect(await eventsOf(roomId)).toEqual([])
  })
})

describe('the tombstones of purged messages', () => {
  test('are kept for thirty days', async () => {
    const { id: roomId } = await plane.book()
    const [old, young] = [await chat.addMessage(roomId), await chat.addMessage(roomId)]
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
