import { randomUUID } from 'node:crypto'
import { CHAT_CONTENT_TYPES } from '@interview-room/contract/vocabulary.ts'
import { describe, expect, test } from 'vitest'
import { createTestChat } from '../../testing/chat-messages.ts'
import { useControlPlane } from '../../testing/control-plane.ts'

const plane = useControlPlane()
const chat = createTestChat(plane)

const pathOf = (roomId: string, query = '') => `/rooms/${roomId}/chat-messages${query}`

describe('GET /rooms/{room_id}/chat-messages', () => {
  // contract: Fields of a ChatMessage › `id`, `visibility`, `participant_id` (null for the
  //   service's own), `sender_name`, `content_type`, `text`, `attachment`, `created_at`
  // contract: listChatMessages › 200, list of ChatMessages, created_at ascending
  test('answers the messages with every field, in order of creation', async () => {
    const { id: roomId } = await plane.book()
    const text = await chat.addMessage(roomId)
    const stamp = await chat.addMessage(roomId, {
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

  // contract: Fields of a ChatMessage › `content_type` as a label, with the sender
  test.each(CHAT_CONTENT_TYPES.map((contentType) => [contentType]))(
    'publishes %s as a label, with the participant who sent it',
    async (contentType) => {
      const { id: roomId } = await plane.book()
      const participantId = randomUUID()
      await plane.database.db`
        insert into participants (id, tenant_id, room_id, seq, role, display_name, external_type,
                                  external_id, created_at)
        values (${participantId}, ${plane.tenant.tenantId}, ${roomId}, 0, 'panelist', 'P', 'User',
                '1', now())
      `
      const id =
        contentType === 'file'
          ? (await chat.addFile(roomId, 'image/png')).id
          : await chat.addMessage(roomId, { contentType, text: 'ok' })
      await plane.database.db`
        update chat_messages set participant_id = ${participantId} where id = ${id}
      `
      const { data } = await plane.tenant.get(pathOf(roomId))
      expect(data.items).toMatchObject([
        { id, content_type: contentType, participant_id: participantId },
      ])
    },
  )

  // contract: Fields of a ChatMessage › `attachment` of a file only: `url`, `name`, `mime`, `size`;
  //   `url` signed at each read for 900 s, the key never shown; `text` may be null
  // contract: Limits › URL of a chat attachment: 900 s, generated at each read
  test('gives every file a URL of 900 seconds and never the key itself', async () => {
    const { id: roomId } = await plane.book()
    const { id, key } = await chat.addFile(roomId, 'application/pdf')
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

  // contract: Fields of a ChatMessage › `attachment.url` is saved by a browser unless it is a
  //   raster image
  test.each([
    ['image/png', 'inline', 'image/png'],
    ['image/jpeg', 'inline', 'image/jpeg'],
    ['image/svg+xml', 'attachment', 'application/octet-stream'],
    ['text/html', 'attachment', 'application/octet-stream'],
    ['text/plain', 'attachment', 'application/octet-stream'],
    ['application/pdf', 'attachment', 'application/octet-stream'],
  ])('lets a browser treat %s as %s of the type %s', async (mime, disposition, served) => {
    const { id: roomId } = await plane.book()
    await chat.addFile(roomId, mime)
    const { data } = await plane.tenant.get(pathOf(roomId))
    const url = new URL(data.items[0].attachment.url)
    expect(url.searchParams.get('disposition')).toBe(disposition)
    expect(url.searchParams.get('mime')).toBe(served)
  })

  test('works while the storage is down, because signing is local', async () => {
    const { id: roomId } = await plane.book()
    await chat.addFile(roomId, 'image/png')
    plane.storage.isDown = true
    const { status } = await plane.tenant.get(pathOf(roomId))
    plane.storage.isDown = false
    expect(status).toBe(200)
  })

  // contract: listChatMessages › Filter `visibility`; without it, all of them
  test('filters by visibility; without a filter shows all of them', async () => {
    const { id: roomId } = await plane.book()
    const shown = await chat.addMessage(roomId, { visibility: 'public' })
    const closed = await chat.addMessage(roomId, { visibility: 'private' })
    const hidden = await chat.addMessage(roomId, { visibility: 'observer_only' })
    expect(await chat.listIds(roomId)).toEqual([shown, closed, hidden])
    expect(await chat.listIds(roomId, '?visibility=public')).toEqual([shown])
    expect(await chat.listIds(roomId, '?visibility=private')).toEqual([closed])
    expect(await chat.listIds(roomId, '?visibility=observer_only')).toEqual([hidden])
  })

  // contract: listChatMessages › `cursor`, `limit`
  test('continues after the cursor, even with a filter', async () => {
    const { id: roomId } = await plane.book()
    const sent: string[] = []
    for (let at = 0; at < 5; at += 1) {
      sent.push(await chat.addMessage(roomId))
      await chat.addMessage(roomId, { visibility: 'private' })
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

  // contract: closeRoom › Chat stays readable
  // contract: listChatMessages › Readable after the close
  test('of a closed room stay readable', async () => {
    const { id: roomId } = await plane.book()
    const id = await chat.addMessage(roomId)
    await plane.tenant.post(`/rooms/${roomId}/close`)
    expect(await chat.listIds(roomId)).toEqual([id])
  })
})

describe('GET /rooms/{room_id}/chat-messages refuses', () => {
  // contract: listChatMessages › 400 INVALID_REQUEST for enums, `limit`, `cursor`, unknown
  //   parameters
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

  // contract: listChatMessages › Other tenant: 404 NOT_FOUND
  test('a room of another tenant with 404, byte for byte like an unknown or malformed id', async () => {
    const { id } = await plane.book()
    await chat.addMessage(id)
    const foreign = await plane.other.get(pathOf(id))
    expect([foreign.status, foreign.code]).toEqual([404, 'NOT_FOUND'])
    for (const unknown of [randomUUID(), 'abc']) {
      expect((await plane.other.get(pathOf(unknown))).text).toBe(foreign.text)
    }
  })
})
