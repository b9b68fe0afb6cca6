import { randomUUID } from 'node:crypto'
import { afterEach, expect, test } from 'vitest'
import { forgetAnswers } from '../../api/idempotency/forget-answers.ts'
import { createTestChat } from '../../testing/chat-messages.ts'
import { useControlPlane } from '../../testing/control-plane.ts'
import { failChangesOf } from '../../testing/failing-database.ts'
import { useLiveRooms } from '../../testing/live-room.ts'
import { createRetainedRooms } from '../../testing/retained-rooms.ts'
import { runJobs } from '../../testing/run-jobs.ts'
import { booking } from '../../testing/tenant-client.ts'
import { carryOutRetentionJob } from './carry-out-retention.job.ts'
import { eraseDataSubjectJob } from './erase-data-subject.job.ts'

const plane = useControlPlane()
const chat = createTestChat(plane)
const live = useLiveRooms(plane)
const rooms = createRetainedRooms(plane)

let repair = async () => {}
afterEach(() => repair())

async function countMessages(roomId: string): Promise<number> {
  const found = await plane.database.db`select 1 from chat_messages where room_id = ${roomId}`
  return found.length
}

/** Two rooms of the tenant and a later one of another, each with a message that is due in seven days. */
async function threeRooms() {
  const say = ({ roomId }: { roomId: string }) => chat.addMessage(roomId)
  await rooms.rule({ chat_days: 1 })
  await rooms.rule({ chat_days: 1 }, plane.other)
  const [first, second] = [await rooms.end(say), await rooms.end(say)]
  const { data } = await plane.other.post('/rooms', booking({ now: plane.now }))
  await chat.addMessage(data.id)
  const endsAt = new Date(data.session.ends_at)
  return { first: first.roomId, second: second.roomId, foreign: data.id as string, endsAt }
}

test('a room whose deletion fails does not delay later rooms, and is deleted once the deletion works', async () => {
  const { first, second, foreign, endsAt } = await threeRooms()
  rooms.moveTo(endsAt, 1)
  await rooms.giveNotices()
  repair = await failChangesOf(plane.database.db, {
    table: 'chat_messages',
    column: 'room_id',
    id: first,
  })
  rooms.moveTo(endsAt, 8)
  expect(await rooms.carryOut()).toBe(false)
  const left = () => Promise.all([first, second, foreign].map(countMessages))
  expect(await left()).toEqual([1, 0, 0])
  await repair()
  await runJobs(plane.database.db, carryOutRetentionJob(plane.deps))
  expect(await left()).toEqual([0, 0, 0])
})

test('a hold that is placed after a failure prevents the retry', async () => {
  const { first, endsAt } = await threeRooms()
  rooms.moveTo(endsAt, 1)
  await rooms.giveNotices()
  const rows = { table: 'chat_messages', column: 'room_id', id: first }
  repair = await failChangesOf(plane.database.db, rows)
  rooms.moveTo(endsAt, 8)
  await rooms.carryOut()
  await repair()
  const held = await plane.tenant.post('/legal-holds', { room_id: first, reason: 'A case.' })
  expect(held.status).toBe(201)
  await runJobs(plane.database.db, carryOutRetentionJob(plane.deps))
  expect(await countMessages(first)).toBe(1)
})

test('a room whose notice fails does not keep others from their notices', async () => {
  const { first, second, foreign, endsAt } = await threeRooms()
  rooms.moveTo(endsAt, 1)
  repair = await failChangesOf(plane.database.db, {
    table: 'retention_notices',
    column: 'room_id',
    id: first,
  })
  await rooms.giveNotices()
  expect(await rooms.noticesOf(second)).toHaveLength(1)
  expect(await rooms.noticesOf(foreign, plane.other)).toHaveLength(1)
  await repair()
  await rooms.giveNotices()
  expect(await rooms.noticesOf(first)).toHaveLength(1)
})

// The middle room fails, so in either order another one follows it.
test("a room in which an erasure fails does not stop the erasure in the person's other rooms", async () => {
  const external_id = randomUUID()
  const visited: string[] = []
  for (let count = 0; count < 3; count += 1) {
    const { id } = await plane.book()
    await live.enter(id, 'panelist', { participant: { external_type: 'User', external_id } })
    visited.push(id)
  }
  const rows = { table: 'participants', column: 'room_id', id: visited[1]! }
  repair = await failChangesOf(plane.database.db, rows)
  plane.now = new Date(plane.now.getTime() + 24 * 60 * 60 * 1000)
  const body = { external_type: 'User', external_id }
  const { data } = await plane.tenant.post('/data-subjects/erasures', body)
  const erase = eraseDataSubjectJob({ ...plane.deps, forgetAnswers })
  await expect(runJobs(plane.database.db, erase)).rejects.toThrow('this row cannot be changed')
  const left = await plane.database.db`
    select room_id as "roomId" from participants where external_id = ${external_id}
  `
  expect(left.map(({ roomId }) => roomId)).toEqual([visited[1]])
  await repair()
  await erase.run({
    key: data.id,
    payload: {},
    attempt: 2,
    signal: plane.deps.stopping,
    log: plane.deps.log,
  })
  const { state } = (await plane.tenant.get(`/data-subjects/erasures/${data.id}`)).data
  expect(state).toBe('done')
})
