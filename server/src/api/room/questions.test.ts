import { randomUUID } from 'node:crypto'
import { QUESTIONS_PER_MIN } from '@interview-room/contract/limits.ts'
import { QUESTION_ROLES } from '@interview-room/contract/questions.ts'
import { QUESTION_STATUSES, ROLES } from '@interview-room/contract/vocabulary.ts'
import { describe, expect, test } from 'vitest'
import { useControlPlane } from '../../testing/control-plane.ts'
import { type Guest, useLiveRooms } from '../../testing/live-room.ts'

const plane = useControlPlane()
const live = useLiveRooms(plane)

const newRoom = async (): Promise<string> => (await plane.book({ startsInMin: 1 })).id

const add = (by: Guest, text = 'Would she buy it?', id: string = randomUUID()) =>
  by.post('/questions', { id, text })
const change = (by: Guest, id: string, status: string) =>
  by.post(`/questions/${id}/status`, { status })

const eventsOf = async (roomId: string) => [
  ...(await plane.database.db`
    select event_type, payload from room_events
     where room_id = ${roomId} and event_type like 'question.%' order by seq
  `),
]

/** Everything before it has arrived when this has, which everybody receives. */
async function settle(roomId: string): Promise<void> {
  await plane.tenant.delete(`/rooms/${roomId}/chat-messages?visibility=public`)
}

describe('POST /rooms/{room_id}/live/questions', () => {
  // contract: addQuestion › 201, `id`, `text`, `status`, `participant_id`, `display_name`, `created_at`;
  //   in the log of the room
  test('adds an open question, and writes it into the log of the room', async () => {
    const roomId = await newRoom()
    const observer = await live.enter(roomId, 'observer', { name: '田中 美咲' })
    const id = randomUUID()
    const { status, data } = await add(observer, '価格は？', id)
    expect(status).toBe(201)
    expect(data).toEqual({
      id,
      text: '価格は？',
      status: 'open',
      participant_id: observer.participantId,
      display_name: '田中 美咲',
      created_at: expect.any(String),
    })
    expect(await eventsOf(roomId)).toEqual([
      {
        event_type: 'question.added',
        payload: {
          question_id: id,
          participant_id: observer.participantId,
          identity: observer.participantId,
          display_name: '田中 美咲',
          text: '価格は？',
        },
      },
    ])
  })

  // contract: streamRoom › `question` and `questions` of the snapshot: for all roles but panelists
  test('reaches everybody but panelists, who receive no byte of it, also after a reload', async () => {
    const roomId = await newRoom()
    const guests = await Promise.all(ROLES.map((role) => live.enter(roomId, role)))
    const readers = await Promise.all(guests.map((guest) => guest.listen()))
    await Promise.all(readers.map((reader) => reader.wait('snapshot')))
    const [moderator, observer] = guests
    if (moderator === undefined || observer === undefined) throw new Error('nobody entered')
    const { data } = await add(observer, 'a secret question')
    await change(moderator, data.id, 'later')
    await settle(roomId)
    for (const [at, reader] of readers.entries()) {
      // oxlint-disable-next-line no-await-in-loop -- each has to arrive
      await reader.wait('messages_purged')
      const role = ROLES[at] ?? 'panelist'
      const knows = (QUESTION_ROLES as readonly string[]).includes(role)
      const heard = reader.events.filter(({ name }) => name === 'question')
      expect(
        heard.map((each) => each.data.status),
        role,
      ).toEqual(knows ? ['open', 'later'] : [])
      expect(reader.raw().includes('a secret question'), role).toBe(knows)
      // oxlint-disable-next-line no-await-in-loop -- each has to arrive
      const again = await guests[at]?.listen()
      // oxlint-disable-next-line no-await-in-loop -- as above
      const snapshot = await again?.wait('snapshot')
      expect(
        snapshot?.questions?.map(({ status }) => status),
        role,
      ).toEqual(knows ? ['later'] : [])
      expect(again?.raw().includes('a secret question'), role).toBe(knows)
    }
  })

  // contract: addQuestion › 200 for a repeat
  test('is added once for each id, also of two at the same time', async () => {
    const roomId = await newRoom()
    const observer = await live.enter(roomId, 'observer')
    const id = randomUUID()
    const answers = await Promise.all([1, 2, 3].map(() => add(observer, 'once', id)))
    expect(answers.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([200, 200, 201])
    expect(await eventsOf(roomId)).toHaveLength(1)
    expect((await add(observer, 'once', id.toUpperCase())).status).toBe(200)
  })

  // contract: addQuestion › 422 IDEMPOTENCY_KEY_CONFLICT
  test('of an id that stands for another question is 422 IDEMPOTENCY_KEY_CONFLICT', async () => {
    const roomId = await newRoom()
    const observer = await live.enter(roomId, 'observer')
    const id = randomUUID()
    await add(observer, 'one', id)
    for (const [by, text] of [
      [observer, 'other'],
      [await live.enter(roomId, 'moderator'), 'one'],
    ] as const) {
      // oxlint-disable-next-line no-await-in-loop -- one after the other
      expect(await add(by, text, id)).toMatchObject({
        status: 422,
        code: 'IDEMPOTENCY_KEY_CONFLICT',
      })
    }
  })

  // contract: addQuestion › 422 VALIDATION_ERROR for other roles
  test('by a panelist is 422 NOT_ALLOWED', async () => {
    const roomId = await newRoom()
    expect(await add(await live.enter(roomId, 'panelist'))).toMatchObject({
      status: 422,
      details: [['role', 'NOT_ALLOWED']],
    })
    expect(await eventsOf(roomId)).toEqual([])
  })

  // contract: addQuestion › 429 RATE_LIMIT_EXCEEDED after 20 in a minute
  // contract: Limits › A person adds `QUESTIONS_PER_MIN` questions in any minute
  test('is refused after 20 of one person in a minute, and not of others', async () => {
    const roomId = await newRoom()
    const observer = await live.enter(roomId, 'observer')
    const other = await live.enter(roomId, 'observer')
    for (let turn = 0; turn < QUESTIONS_PER_MIN; turn += 1) {
      // oxlint-disable-next-line no-await-in-loop -- one after the other, as people press
      expect((await add(observer)).status).toBe(201)
    }
    const refused = await add(observer)
    expect(refused).toMatchObject({ status: 429, code: 'RATE_LIMIT_EXCEEDED' })
    expect(Number(refused.headers['retry-after'])).toBeGreaterThan(0)
    expect((await add(other)).status).toBe(201)
  })

  // contract: addQuestion › 400 INVALID_REQUEST
  // contract: Limits › A question for the moderator has `QUESTION_TEXT_MAX` characters
  test.each([
    [{ id: randomUUID() }, 'text', 'REQUIRED'],
    [{ id: randomUUID(), text: '' }, 'text', 'TOO_SHORT'],
    [{ id: randomUUID(), text: 'two\nlines' }, 'text', 'INVALID_FORMAT'],
    [{ id: randomUUID(), text: 'x'.repeat(501) }, 'text', 'TOO_LONG'],
    [{ id: 'one', text: 'x' }, 'id', 'INVALID_FORMAT'],
    [{ id: randomUUID(), text: 'x', to: 'all' }, 'to', 'UNKNOWN_FIELD'],
  ])('with %j is 400 INVALID_REQUEST', async (body, field, code) => {
    const observer = await live.enter(await newRoom(), 'observer')
    const refused = await observer.post('/questions', body)
    expect(refused).toMatchObject({ status: 400, details: [[field, code]] })
  })
})

describe('POST /rooms/{room_id}/live/questions/{question_id}/status', () => {
  // contract: changeQuestion › 200, every `status`; a repeat changes nothing
  test('keeps the state of a question, and notes each change once', async () => {
    const roomId = await newRoom()
    const moderator = await live.enter(roomId, 'moderator')
    const { data } = await add(await live.enter(roomId, 'observer'))
    for (const status of [...QUESTION_STATUSES, ...QUESTION_STATUSES.slice(-1)]) {
      // oxlint-disable-next-line no-await-in-loop -- one after the other
      const changed = await change(moderator, data.id, status)
      expect(changed).toMatchObject({ status: 200, data: { ...data, status } })
    }
    const changes = (await eventsOf(roomId)).slice(1)
    expect(changes.map(({ payload }) => payload)).toEqual(
      ['asked', 'later', 'done'].map((status) => ({
        question_id: data.id,
        status,
        by: moderator.participantId,
      })),
    )
  })

  // contract: changeQuestion › 422 VALIDATION_ERROR for other roles
  test.each(['panelist', 'observer', 'platform_observer'] as const)(
    'by a %s is 422 NOT_ALLOWED',
    async (role) => {
      const roomId = await newRoom()
      const { data } = await add(await live.enter(roomId, 'observer'))
      expect(await change(await live.enter(roomId, role), data.id, 'done')).toMatchObject({
        status: 422,
        details: [['role', 'NOT_ALLOWED']],
      })
    },
  )

  // contract: changeQuestion › 400 INVALID_REQUEST
  test('to a status that does not exist is 400 INVALID_REQUEST', async () => {
    const roomId = await newRoom()
    const moderator = await live.enter(roomId, 'moderator')
    const { data } = await add(moderator)
    expect(await change(moderator, data.id, 'gone')).toMatchObject({
      status: 400,
      details: [['status', 'INVALID_ENUM']],
    })
  })

  // contract: changeQuestion › Other tenant or room: 404 NOT_FOUND
  test('of a question in another room, or of another tenant, is 404 like an unknown one', async () => {
    const moderator = await live.enter(await newRoom(), 'moderator')
    const elsewhere = await add(await live.enter(await newRoom(), 'observer'))
    const answers = await Promise.all(
      [elsewhere.data.id, randomUUID(), 'no-id'].map((id) => change(moderator, id, 'done')),
    )
    expect(answers.map(({ status, text }) => [status, text])).toEqual(
      answers.map(() => [404, answers[0]?.text]),
    )
  })
})
