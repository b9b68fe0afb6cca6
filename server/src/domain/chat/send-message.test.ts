import { randomUUID } from 'node:crypto'
import {
  ROLES,
  type Role,
  VISIBILITIES,
  type Visibility,
} from '@interview-room/contract/vocabulary.ts'
import { beforeAll, describe, expect, test } from 'vitest'
import { inTransaction } from '../../platform/db/db.ts'
import { useControlPlane } from '../../testing/control-plane.ts'
import {
  heard,
  keyOf,
  MAY_SEND,
  PDF,
  RECEIVE,
  type Said,
  STAMPS,
  said,
  say,
} from '../../testing/live-chat.ts'
import { type Guest, type LiveReader, useLiveRooms } from '../../testing/live-room.ts'
import { hasLockWait } from '../../testing/lock-waits.ts'
import type { Answer } from '../../testing/tenant-client.ts'
import { waitFor } from '../../testing/wait-for.ts'

const plane = useControlPlane()
const live = useLiveRooms(plane)

const bookRoom = async (): Promise<string> => (await plane.book({ startsInMin: 1 })).id

const countOf = async (roomId: string): Promise<number> =>
  (await plane.database.db`select 1 from chat_messages where room_id = ${roomId}`).length

type Everybody<T> = Record<Role, T>

/** One guest of each role in a new room. */
async function enterAll(): Promise<{ roomId: string; guests: Everybody<Guest> }> {
  const roomId = await bookRoom()
  const entered = await Promise.all(
    ROLES.map(async (role) => [role, await live.enter(roomId, role)]),
  )
  return { roomId, guests: Object.fromEntries(entered) as Everybody<Guest> }
}

const outcomeOf = ({ status, code, details }: Answer) => [status, code, details]
const SENT = [201, undefined, undefined]
const NOT_THERE = [422, 'VALIDATION_ERROR', [['visibility', 'NOT_ALLOWED']]]
const NO_STAMP = [422, 'INVALID_STAMP', [['text', 'INVALID_ENUM']]]

const sendWith = async (roomId: string, authorization?: string) =>
  plane.app.inject({
    method: 'POST',
    url: `/api/v1/rooms/${roomId}/live/messages`,
    headers: authorization === undefined ? {} : { authorization },
    payload: said(),
  })

describe('the table of the chat', () => {
  let guests: Everybody<Guest>
  let readers: Everybody<LiveReader>

  beforeAll(async () => {
    ;({ guests } = await enterAll())
    const opened = await Promise.all(
      ROLES.map(async (role) => {
        const reader = await guests[role].listen()
        await reader.wait('snapshot')
        return [role, reader] as const
      }),
    )
    readers = Object.fromEntries(opened) as Everybody<LiveReader>
  })

  /** Waits until a last message has reached every stream, so that all earlier ones have, too. */
  async function settle(): Promise<void> {
    const last = said()
    expect((await guests.moderator.post('/messages', last)).status).toBe(201)
    for (const role of ROLES) await readers[role].wait('message', ({ id }) => id === last.id)
  }

  async function expectReceivers(id: string, receivers: readonly Role[]): Promise<void> {
    await settle()
    const got = ROLES.filter((role) => heard(readers[role]).includes(id))
    expect(got.toSorted()).toEqual(receivers.toSorted())
    for (const role of got) {
      expect(heard(readers[role]).filter((each) => each === id)).toHaveLength(1)
      expect((await guests[role].get('/messages?limit=5')).text).toContain(id)
    }
    for (const role of ROLES.filter((each) => !got.includes(each))) {
      expect(readers[role].raw()).not.toContain(id)
      expect((await guests[role].get('/messages?limit=100')).text).not.toContain(id)
    }
  }

  const cells = ROLES.flatMap((role) =>
    VISIBILITIES.map((visibility) => [role, visibility] as const),
  )

  // contract: sendMessage › Text: by role and visibility, sent and received by exactly those who
  //   may
  // contract: sendMessage › 422 VALIDATION_ERROR on `visibility` for a role that does not send
  //   there
  test.each(cells)(
    'a text of a %s to %s goes to exactly those who may',
    async (role, visibility) => {
      const message = said({ visibility })
      const may = MAY_SEND[visibility].includes(role)
      const answer = await guests[role].post('/messages', message)
      expect(outcomeOf(answer)).toEqual(may ? SENT : NOT_THERE)
      await expectReceivers(message.id, may ? RECEIVE[visibility] : [])
    },
  )

  // contract: sendMessage › File: by role and visibility
  test.each(cells)(
    'a file of a %s to %s goes to exactly those who may',
    async (role, visibility) => {
      const may = MAY_SEND[visibility].includes(role)
      const wanted = { name: 'a.pdf', mime: 'application/pdf', size: PDF.length, visibility }
      const place = await guests[role].post('/attachments', wanted)
      expect(outcomeOf(place)).toEqual(may ? SENT : NOT_THERE)
      const key = keyOf(place.data?.upload.url ?? 'https://storage.test/nowhere')
      plane.storage.objects.set(key, { body: PDF, mime: 'application/pdf' })

      const attachmentId = place.data?.id ?? randomUUID()
      const message = said({ visibility, content_type: 'file', attachment_id: attachmentId })
      const answer = await guests[role].post('/messages', message)
      expect(outcomeOf(answer)).toEqual(may ? SENT : NOT_THERE)
      await expectReceivers(message.id, may ? RECEIVE[visibility] : [])
    },
  )

  // contract: sendMessage › Stamp: by role and visibility
  test.each(cells)(
    'a stamp of a %s to %s goes to exactly those who may',
    async (role, visibility) => {
      const set = STAMPS.find(([where, roles]) => where === visibility && roles.includes(role))
      const message = said({ visibility, content_type: 'stamp', text: set?.[2][0] ?? 'ok' })
      const answer = await guests[role].post('/messages', message)
      const refusal = MAY_SEND[visibility].includes(role) ? NO_STAMP : NOT_THERE
      expect(outcomeOf(answer)).toEqual(set === undefined ? refusal : SENT)
      await expectReceivers(message.id, set === undefined ? [] : RECEIVE[visibility])
    },
  )
})

describe('the table of the stamps', () => {
  const identifiers = [...new Set(STAMPS.flatMap(([, , each]) => each)), 'nonsense', 'OK']

  // contract: sendMessage › Stamp table: 422 INVALID_STAMP for all others
  // contract: Error codes › 422 INVALID_STAMP
  test.each(ROLES.map((role) => [role]))(
    'a %s may send the stamps of the table, and no other',
    async (role) => {
      const guest = await live.enter(await bookRoom(), role)
      for (const visibility of VISIBILITIES) {
        for (const identifier of identifiers) {
          const isStamp = STAMPS.some(
            ([where, roles, each]) =>
              where === visibility && roles.includes(role) && each.includes(identifier),
          )
          const { status, code } = await say(guest, {
            visibility,
            content_type: 'stamp',
            text: identifier,
          })
          const refusal = MAY_SEND[visibility].includes(role) ? 'INVALID_STAMP' : 'VALIDATION_ERROR'
          const expected = isStamp ? [201, undefined] : [422, refusal]
          expect([visibility, identifier, status, code]).toEqual([
            visibility,
            identifier,
            ...expected,
          ])
        }
      }
    },
  )
})

describe('POST /rooms/{room_id}/live/messages', () => {
  // contract: sendMessage › 201, the message with every field: `id`, `visibility`,
  //   `participant_id`, `sender_name`, `content_type`, `text`, `attachment`, `created_at`
  test('answers 201 with every field of the message', async () => {
    const { guests } = await enterAll()
    const message = said({ text: '一行目\n二行目' })
    const answer = await guests.panelist.post('/messages', message)
    expect(answer.status).toBe(201)
    expect(answer.data).toEqual({
      ...message,
      participant_id: guests.panelist.participantId,
      sender_name: 'Hanako',
      attachment: null,
      created_at: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/),
    })
  })

  // contract: sendMessage › Seen by the tenant
  test('is seen by the tenant, with the participant who sent it', async () => {
    const { roomId, guests } = await enterAll()
    const { data } = await say(guests.observer, { visibility: 'observer_only' })
    const { items } = (await plane.tenant.get(`/rooms/${roomId}/chat-messages`)).data
    expect(items).toEqual([data])
  })

  // contract: sendMessage › 200 for a repeat, with the first answer, published once
  test('returns 200 with the first answer for a repeat, and publishes once', async () => {
    const { roomId, guests } = await enterAll()
    const reader = await guests.panelist.listen()
    await reader.wait('snapshot')
    const message = said()
    const first = await guests.moderator.post('/messages', message)
    const again = await guests.moderator.post('/messages', message)
    expect([first.status, again.status]).toEqual([201, 200])
    expect(again.text).toBe(first.text)
    const last = (await say(guests.moderator)).data.id
    await reader.wait('message', ({ id }) => id === last)
    expect(heard(reader)).toEqual([message.id, last])
    expect(await countOf(roomId)).toBe(2)
  })

  test('treats an id in capitals as the same id', async () => {
    const { guests } = await enterAll()
    const message = said()
    const first = await guests.moderator.post('/messages', message)
    const again = await guests.moderator.post('/messages', {
      ...message,
      id: message.id.toUpperCase(),
    })
    expect([again.status, again.text]).toEqual([200, first.text])
  })

  // contract: sendMessage › 200 for a repeat, even when both are sent at the same time
  test('sends concurrent repeats once: one is 201, the others are 200', async () => {
    const { roomId, guests } = await enterAll()
    const message = said()
    const answers = await Promise.all(
      Array.from({ length: 8 }, () => guests.moderator.post('/messages', message)),
    )
    const statuses = answers.map(({ status }) => status).toSorted((a, b) => a - b)
    expect(statuses).toEqual([...Array.from({ length: 7 }, () => 200), 201])
    expect(new Set(answers.map(({ text }) => text)).size).toBe(1)
    expect(await countOf(roomId)).toBe(1)
  })

  // contract: sendMessage › 422 IDEMPOTENCY_KEY_CONFLICT for another content
  test.each<[string, Partial<Said>]>([
    ['another text', { text: 'other' }],
    ['another visibility', { visibility: 'private' }],
    ['another content_type', { visibility: 'private', content_type: 'stamp', text: 'ok' }],
  ])('with the same id and %s is 422 IDEMPOTENCY_KEY_CONFLICT', async (_what, change) => {
    const { roomId, guests } = await enterAll()
    const message = said({ text: 'ok' })
    await guests.moderator.post('/messages', message)
    const answer = await guests.moderator.post('/messages', { ...message, ...change })
    expect([answer.status, answer.code]).toEqual([422, 'IDEMPOTENCY_KEY_CONFLICT'])
    expect(await countOf(roomId)).toBe(1)
  })

  // contract: sendMessage › 422 IDEMPOTENCY_KEY_CONFLICT for another sender, and nothing of the
  //   first message
  test('with the id of another sender is the same 422, without revealing that message', async () => {
    const { roomId, guests } = await enterAll()
    const hidden = said({ visibility: 'observer_only', text: 'behind the scenes' })
    await guests.observer.post('/messages', hidden)
    const answer = await guests.panelist.post('/messages', { ...hidden, visibility: 'public' })
    const own = said()
    await guests.panelist.post('/messages', own)
    const conflict = await guests.panelist.post('/messages', { ...own, text: 'x' })
    expect([answer.status, answer.code]).toEqual([422, 'IDEMPOTENCY_KEY_CONFLICT'])
    expect(answer.text).toBe(conflict.text)
    expect(await countOf(roomId)).toBe(2)
  })

  test('sends one of several concurrent messages with the same id', async () => {
    const { roomId, guests } = await enterAll()
    const message = said()
    const senders = [guests.moderator, guests.panelist, guests.platform_observer]
    const answers = await Promise.all(senders.map((guest) => guest.post('/messages', message)))
    expect(answers.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([201, 422, 422])
    expect(await countOf(roomId)).toBe(1)
  })

  // contract: sendMessage › Guests of the simple route are distinguished
  test('distinguishes two guests of the simple route', async () => {
    const { roomId, accessToken } = await live.acting.addRoom()
    const enter = async (name: string) => {
      const url = `/api/v1/rooms/${roomId}/live/entry`
      const payload = { access_token: accessToken, name }
      const entered = await plane.app.inject({ method: 'POST', url, payload })
      return String(entered.json().data.ticket)
    }
    const message = said()
    const send = async (ticket: string) =>
      plane.app.inject({
        method: 'POST',
        url: `/api/v1/rooms/${roomId}/live/messages`,
        headers: { authorization: `Bearer ${ticket}` },
        payload: message,
      })
    const [one, other] = [await enter('一'), await enter('二')]
    const first = await send(one)
    expect([first.statusCode, first.json().data.participant_id]).toEqual([201, null])
    expect(first.json().data.sender_name).toBe('一')
    expect((await send(one)).statusCode).toBe(200)
    expect((await send(other)).json().error.code).toBe('IDEMPOTENCY_KEY_CONFLICT')
  })

  // contract: sendMessage › 1 to 4,000 characters (`CHAT_TEXT_MAX`), whatever they are
  test('takes 4,000 characters of any kind', async () => {
    const guest = await live.enter(await bookRoom(), 'moderator')
    const text = '😀'.repeat(4000)
    const answer = await say(guest, { text })
    expect([answer.status, answer.data.text]).toEqual([201, text])
  })

  test('sends the same id in another room as another message', async () => {
    const [here, there] = [await enterAll(), await enterAll()]
    const message = said()
    expect((await here.guests.moderator.post('/messages', message)).status).toBe(201)
    expect((await there.guests.moderator.post('/messages', message)).status).toBe(201)
  })
})

describe('a message that was purged', () => {
  // contract: sendMessage › What was purged is not brought back by a repeat
  test('is not brought back by its repeat, which answers 200 without the content', async () => {
    const { roomId, guests } = await enterAll()
    const reader = await guests.panelist.listen()
    await reader.wait('snapshot')
    const message = said()
    await guests.moderator.post('/messages', message)
    await plane.tenant.delete(`/rooms/${roomId}/chat-messages`)
    const again = await guests.moderator.post('/messages', message)
    expect(again.status).toBe(200)
    expect(again.data).toMatchObject({ id: message.id, text: null, attachment: null })
    expect(await countOf(roomId)).toBe(0)
    const last = (await say(guests.moderator)).data.id
    await reader.wait('message', ({ id }) => id === last)
    expect(heard(reader).filter((id) => id !== message.id)).toEqual([last])
    expect((await guests.panelist.get('/messages')).data.items).toHaveLength(1)
  })

  test('keeps its id from other senders: 422 IDEMPOTENCY_KEY_CONFLICT', async () => {
    const { roomId, guests } = await enterAll()
    const message = said()
    await guests.moderator.post('/messages', message)
    await plane.tenant.delete(`/rooms/${roomId}/chat-messages`)
    const answer = await guests.panelist.post('/messages', message)
    expect([answer.status, answer.code]).toEqual([422, 'IDEMPOTENCY_KEY_CONFLICT'])
  })
})

describe('POST /rooms/{room_id}/live/messages refuses', () => {
  // contract: sendMessage › 400 INVALID_REQUEST: what does not belong to the `content_type`, or is
  //   missing
  test.each<[string, object, [string, string][]]>([
    ['a text without text', { content_type: 'text' }, [['text', 'REQUIRED']]],
    ['a stamp without text', { content_type: 'stamp' }, [['text', 'REQUIRED']]],
    ['a file without attachment_id', { content_type: 'file' }, [['attachment_id', 'REQUIRED']]],
    [
      'a text with an attachment',
      { content_type: 'text', text: 'x', attachment_id: randomUUID() },
      [['attachment_id', 'NOT_ALLOWED']],
    ],
    [
      'a stamp with an attachment and without text',
      { content_type: 'stamp', attachment_id: randomUUID() },
      [
        ['text', 'REQUIRED'],
        ['attachment_id', 'NOT_ALLOWED'],
      ],
    ],
    ['an empty text', { content_type: 'text', text: '' }, [['text', 'TOO_SHORT']]],
    ['4,001 characters', { content_type: 'text', text: 'あ'.repeat(4001) }, [['text', 'TOO_LONG']]],
    ['null', { content_type: 'text', text: null }, [['text', 'REQUIRED']]],
    [
      'what only the service writes',
      { content_type: 'archive_status', text: 'x' },
      [['content_type', 'INVALID_ENUM']],
    ],
    ['an invalid id', { id: 'x', content_type: 'text', text: 'x' }, [['id', 'INVALID_FORMAT']]],
    [
      'an unknown member',
      { content_type: 'text', text: 'x', sender_name: 'y' },
      [['sender_name', 'UNKNOWN_FIELD']],
    ],
  ])('%s with 400 INVALID_REQUEST', async (_what, body, details) => {
    const roomId = await bookRoom()
    const guest = await live.enter(roomId, 'moderator')
    const answer = await guest.post('/messages', {
      id: randomUUID(),
      visibility: 'public',
      ...body,
    })
    expect(answer).toMatchObject({ status: 400, code: 'INVALID_REQUEST' })
    expect(answer.details).toEqual(details)
    expect(await countOf(roomId)).toBe(0)
  })

  // contract: sendMessage › 401 UNAUTHORIZED without a ticket of this room
  test('with the same 401 without a ticket of this room', async () => {
    const [roomId, elsewhere] = [await bookRoom(), await bookRoom()]
    const { ticket } = await live.enter(elsewhere, 'moderator')
    const token = await live.acting.signToken({ roomId, role: 'moderator' })
    const credentials = [undefined, 'Bearer x.y.z', `Bearer ${ticket}`, `Bearer ${token}`]
    for (const authorization of [...credentials, plane.tenant.authorization]) {
      const answer = await sendWith(roomId, authorization)
      expect([answer.statusCode, answer.json().error.code]).toEqual([401, 'UNAUTHORIZED'])
    }
  })

  test('somebody in a closed room with 409 SESSION_RELEASED', async () => {
    const { roomId, guests } = await enterAll()
    await plane.tenant.post(`/rooms/${roomId}/close`)
    for (const role of ROLES) expect((await say(guests[role])).code).toBe('SESSION_RELEASED')
    expect(await countOf(roomId)).toBe(0)
  })

  // contract: sendMessage › 409 SESSION_RELEASED after the close, also for what waited meanwhile
  test('a message that waited while the room was closed', async () => {
    const { roomId, guests } = await enterAll()
    const { db } = plane.database
    let waiting: ReturnType<typeof say> | undefined
    await inTransaction(db, async (tx) => {
      await tx`select 1 from rooms where id = ${roomId} for update`
      waiting = say(guests.moderator)
      await waitFor(() => hasLockWait(db))
      await tx`update rooms set closed_at = ${plane.now} where id = ${roomId}`
    })
    expect((await waiting)?.code).toBe('SESSION_RELEASED')
    expect(await countOf(roomId)).toBe(0)
  })

  // contract: sendMessage › 409 PARTICIPANT_BANNED after a ban
  test('a banned participant with 409 PARTICIPANT_BANNED, also for a repeat', async () => {
    const { roomId, guests } = await enterAll()
    const { participantId } = guests.panelist
    const message = said()
    await guests.panelist.post('/messages', message)
    await plane.tenant.post(`/rooms/${roomId}/participants/${participantId}/ban`, { reason: 'r' })
    expect((await say(guests.panelist)).code).toBe('PARTICIPANT_BANNED')
    expect((await guests.panelist.post('/messages', message)).code).toBe('PARTICIPANT_BANNED')
    expect((await say(guests.moderator)).status).toBe(201)
  })

  // contract: sendMessage › 422 OUTSIDE_TIME_WINDOW after the window
  test('with 422 OUTSIDE_TIME_WINDOW after the window', async () => {
    const before = plane.now
    const endsAt = new Date(before.getTime() - 20 * 60_000)
    const startsAt = new Date(endsAt.getTime() - 60 * 60_000)
    const { roomId } = await live.acting.addRoom({ startsAt, endsAt })
    const guest = await live.enter(roomId, 'panelist')
    plane.now = new Date(before.getTime() + 11 * 60_000)
    const answer = await say(guest)
    plane.now = before
    expect([answer.status, answer.code]).toEqual([422, 'OUTSIDE_TIME_WINDOW'])
  })
})

describe('a stranger', () => {
  const visibilities: Visibility[] = [...VISIBILITIES]

  test('of another tenant is not let in at all: 401, byte for byte like for an unknown room', async () => {
    const { id: foreign } = (
      await plane.other.post('/rooms', {
        kind: 'interview',
        session: {
          external_type: 'Slot',
          external_id: randomUUID(),
          starts_at: plane.now.toISOString(),
          ends_at: new Date(plane.now.getTime() + 3_600_000).toISOString(),
        },
      })
    ).data
    const { ticket } = await live.enter(await bookRoom(), 'moderator')
    for (const visibility of visibilities) {
      const [at, nowhere] = await Promise.all(
        [foreign, randomUUID()].map((roomId) =>
          plane.app.inject({
            method: 'POST',
            url: `/api/v1/rooms/${roomId}/live/messages`,
            headers: { authorization: `Bearer ${ticket}` },
            payload: said({ visibility }),
          }),
        ),
      )
      expect(at?.statusCode).toBe(401)
      expect(at?.body).toBe(nowhere?.body)
    }
  })
})
