import { ROLES, VISIBILITIES, type Visibility } from '@interview-room/contract/vocabulary.ts'
import { describe, expect, test } from 'vitest'
import { createTestChat } from '../../testing/chat-messages.ts'
import { useControlPlane } from '../../testing/control-plane.ts'
import { heard, keyOf, RECEIVE, say, upload } from '../../testing/live-chat.ts'
import { type Guest, useLiveRooms } from '../../testing/live-room.ts'
import type { Answer } from '../../testing/tenant-client.ts'

const plane = useControlPlane()
const live = useLiveRooms(plane)
const chat = createTestChat(plane)

const bookRoom = async (): Promise<string> => (await plane.book({ startsInMin: 1 })).id
const idsOf = ({ data }: Answer): string[] => data.items.map(({ id }: { id: string }) => id)

/** Every page, starting with the newest. */
async function readAll(guest: Guest, limit: number): Promise<{ ids: string[]; cursors: string[] }> {
  const ids: string[] = []
  const cursors: string[] = []
  let query = `?limit=${limit}`
  for (;;) {
    const page = await guest.get(`/messages${query}`)
    expect(page.status).toBe(200)
    ids.push(...idsOf(page))
    if (!page.data.has_more) return { ids, cursors }
    cursors.push(page.data.next_cursor)
    query = `?limit=${limit}&cursor=${page.data.next_cursor}`
  }
}

describe('GET /rooms/{room_id}/live/messages', () => {
  // contract: listMessagesInRoom › 200, list of what the role may read, newest first; `cursor`,
  //   `limit`
  test('answers every role the messages it may read, newest first, including those before its entry', async () => {
    const roomId = await bookRoom()
    const sent: { id: string; visibility: (typeof VISIBILITIES)[number] }[] = []
    for (let at = 0; at < 12; at += 1) {
      const visibility = VISIBILITIES[at % 3] ?? 'public'
      sent.unshift({ id: await chat.addMessage(roomId, { visibility }), visibility })
    }
    for (const role of ROLES) {
      const guest = await live.enter(roomId, role)
      const mine = sent.filter(({ visibility }) => RECEIVE[visibility].includes(role))
      expect(idsOf(await guest.get('/messages'))).toEqual(mine.map(({ id }) => id))
      expect((await readAll(guest, 3)).ids).toEqual(mine.map(({ id }) => id))
    }
  })

  // contract: listMessagesInRoom › `attachment` with a fresh address
  test('shows messages as sent, with a fresh address of their file', async () => {
    const guest = await live.enter(await bookRoom(), 'moderator')
    const { attachmentId } = await upload(guest, plane.storage)
    const file = { content_type: 'file', attachment_id: attachmentId } as const
    const first = (await say(guest, { text: '一' })).data
    const second = (await say(guest, file)).data
    const { items } = (await guest.get('/messages')).data
    expect(items).toEqual([second, first])
    expect(plane.storage.objects.has(keyOf(items[0].attachment.url))).toBe(true)
  })

  test('is empty in a new room', async () => {
    const guest = await live.enter(await bookRoom(), 'panelist')
    expect((await guest.get('/messages')).data).toEqual({
      items: [],
      next_cursor: null,
      has_more: false,
    })
  })

  test('pages stay complete while others write', async () => {
    const guest = await live.enter(await bookRoom(), 'moderator')
    const ids: string[] = []
    for (let at = 0; at < 4; at += 1) ids.unshift((await say(guest)).data.id)
    const first = await guest.get('/messages?limit=2')
    await say(guest)
    const rest = await guest.get(`/messages?limit=2&cursor=${first.data.next_cursor}`)
    expect([...idsOf(first), ...idsOf(rest)]).toEqual(ids)
    expect(rest.data.next_cursor).toBeNull()
  })

  // contract: listMessagesInRoom › Cursors say nothing of what is between
  test('has cursors of one length without a number, which reveal nothing of the messages between', async () => {
    const roomId = await bookRoom()
    const panelist = await live.enter(roomId, 'panelist')
    for (let at = 0; at < 4; at += 1) {
      await chat.addMessage(roomId)
      for (let more = 0; more < 4; more += 1) {
        await chat.addMessage(roomId, { visibility: 'observer_only' })
      }
    }
    const { cursors } = await readAll(panelist, 1)
    expect(cursors).toHaveLength(3)
    expect(new Set(cursors.map((cursor) => cursor.length)).size).toBe(1)
    for (const cursor of cursors) {
      const [, sealed = ''] = Buffer.from(cursor, 'base64url')
        .toString('latin1')
        .split(/^.{16}/s)
      expect(sealed).toMatch(/^[\w-]{60,}$/)
      expect(Buffer.from(sealed, 'base64url').toString('latin1')).not.toContain(roomId)
    }
  })
})

describe('GET /rooms/{room_id}/live/messages refuses', () => {
  // contract: listMessagesInRoom › 400 INVALID_REQUEST
  test.each([['limit=0'], ['limit=101'], ['cursor=nonsense'], ['visibility=private']])(
    '%s with 400 INVALID_REQUEST',
    async (query) => {
      const guest = await live.enter(await bookRoom(), 'panelist')
      const answer = await guest.get(`/messages?${query}`)
      expect([answer.status, answer.code]).toEqual([400, 'INVALID_REQUEST'])
    },
  )

  test('the cursor of another role, room or list with 400', async () => {
    const [roomId, other] = [await bookRoom(), await bookRoom()]
    for (const room of [roomId, other]) {
      for (let at = 0; at < 3; at += 1) await chat.addMessage(room)
    }
    const [moderator, panelist] = [
      await live.enter(roomId, 'moderator'),
      await live.enter(roomId, 'panelist'),
    ]
    const elsewhere = await live.enter(other, 'panelist')
    const path = `/rooms/${roomId}/chat-messages?limit=1`
    const cursors = [
      (await moderator.get('/messages?limit=1')).data.next_cursor,
      (await elsewhere.get('/messages?limit=1')).data.next_cursor,
      (await plane.tenant.get(path)).data.next_cursor,
    ]
    for (const cursor of cursors) {
      expect((await panelist.get(`/messages?cursor=${cursor}`)).status).toBe(400)
    }
  })

  // contract: listMessagesInRoom › 401 UNAUTHORIZED, 409 PARTICIPANT_BANNED, 409 SESSION_RELEASED
  test('callers without admission', async () => {
    const roomId = await bookRoom()
    const guest = await live.enter(roomId, 'moderator')
    const banned = await live.enter(roomId, 'panelist')
    const url = `/api/v1/rooms/${roomId}/live/messages`
    expect((await plane.app.inject({ method: 'GET', url })).json().error.code).toBe('UNAUTHORIZED')
    const path = `/rooms/${roomId}/participants/${banned.participantId}/ban`
    await plane.tenant.post(path, { reason: 'r' })
    expect((await banned.get('/messages')).code).toBe('PARTICIPANT_BANNED')
    await plane.tenant.post(`/rooms/${roomId}/close`)
    expect((await guest.get('/messages')).code).toBe('SESSION_RELEASED')
  })
})

/** Sends a text and a file. Returns the traces that a reader without access must not find. */
async function sayAndShow(guest: Guest, visibility: Visibility) {
  const { attachmentId, key } = await upload(guest, plane.storage, { visibility })
  const file = { content_type: 'file', attachment_id: attachmentId } as const
  const answers = [
    await say(guest, { visibility, text: 'back-room' }),
    await say(guest, { visibility, ...file }),
  ]
  expect(answers.map(({ status }) => status)).toEqual([201, 201])
  return { ids: answers.map(({ data }) => String(data.id)), traces: [attachmentId, key] }
}

describe('a panelist', () => {
  // contract: listMessagesInRoom › Nothing of the back-room reaches a panelist
  test('gets nothing from behind the scenes, by stream, history or refusal', async () => {
    const roomId = await bookRoom()
    const panelist = await live.enter(roomId, 'panelist')
    const reader = await panelist.listen()
    await reader.wait('snapshot')
    const hidden = [
      await live.enter(roomId, 'observer', { name: 'Hidden Observer' }),
      await live.enter(roomId, 'platform_observer', { name: 'Hidden Operator' }),
    ]
    const traces: string[] = ['Hidden', 'observer_only', 'back-room']
    const answers: string[] = []
    const ask = async () => {
      answers.push((await panelist.get('/messages?limit=2')).text)
    }
    for (let round = 0; round < 5; round += 1) {
      for (const guest of hidden) {
        traces.push(guest.participantId)
        for (const visibility of ['private', 'observer_only'] as const) {
          const sent = await sayAndShow(guest, visibility)
          traces.push(...sent.ids, ...sent.traces)
          answers.push(
            ...(await Promise.all(sent.ids.map((id) => say(panelist, { id })))).map(
              ({ text }) => text,
            ),
          )
        }
      }
      await say(panelist, { text: `public ${round}` })
      await ask()
    }
    await plane.tenant.delete(`/rooms/${roomId}/chat-messages?visibility=observer_only`)
    const last = (await say(panelist)).data.id
    await reader.wait('message', ({ id }) => id === last)
    await ask()

    expect(reader.events.map(({ name }) => name)).toEqual([
      'snapshot',
      ...Array.from({ length: 6 }, () => 'message'),
    ])
    expect(heard(reader)).toHaveLength(6)
    const everything = [reader.raw(), ...answers].join('\n')
    for (const trace of traces) expect(everything).not.toContain(trace)
    // Event ids and cursors have one length, however much lies between them.
    const lengths = new Set(reader.events.map(({ id }) => id.length))
    expect(lengths.size).toBe(1)
  })
})
