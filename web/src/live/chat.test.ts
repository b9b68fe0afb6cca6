import type { ChatMessageBody } from '@interview-room/contract/chat.ts'
import { afterEach, describe, expect, test, vi } from 'vitest'
import { Chat } from './chat.ts'
import type { LiveAnswer, LiveRequest } from './live-request.ts'
import { newId } from './new-id.ts'
import { LiveStore } from './store.ts'
import type { Upload } from './upload.ts'

const WAIT = { timeout: 60_000 }

interface SentRequest {
  path: string
  body: Record<string, unknown> | undefined
  answer: (answer: LiveAnswer<unknown>) => void
}

const SNAPSHOT = {
  now: '2030-01-01T10:00:00.000Z',
  slot: null,
  recording: null,
  facts: [],
  roster: [],
  presentation: null,
}
const OFFLINE = { ok: false, code: 'OFFLINE', details: [] } as const

function world() {
  const asked: SentRequest[] = []
  const request = ((_, path, body) =>
    new Promise<LiveAnswer<unknown>>((resolve) => {
      asked.push({ path, body: body as Record<string, unknown> | undefined, answer: resolve })
    })) as LiveRequest
  const store = new LiveStore({ participantId: null })
  const uploads: string[] = []
  const upload: Upload = async (url, _file, { stopped }) => {
    if (stopped.aborted) return 'offline'
    uploads.push(url)
    return 'done'
  }
  const chat = new Chat({ store, request, upload })
  store.apply({ name: 'snapshot', data: SNAPSHOT })
  const next = async (at: number): Promise<SentRequest> =>
    vi.waitFor(() => {
      const found = asked[at]
      if (found === undefined) throw new Error('not asked yet')
      return found
    }, WAIT)
  const stateOf = () => store.getState().outgoing.map(({ state }) => state)
  return { asked, store, chat, uploads, next, stateOf }
}

function said(id: string, text: string | null = id): ChatMessageBody {
  return {
    id,
    visibility: 'public',
    participant_id: null,
    sender_name: 'Sato',
    content_type: 'text',
    text,
    attachment: null,
    created_at: SNAPSHOT.now,
  }
}

const page = (ids: readonly string[], next: string | null = null): LiveAnswer<unknown> => ({
  ok: true,
  data: { items: ids.map((id) => said(id)), next_cursor: next, has_more: next !== null },
})

afterEach(() => {
  vi.useRealTimers()
})

describe('sending', () => {
  test('posts one message after the other, with an id made by this page', async () => {
    const { asked, store, chat, next } = world()
    chat.sendText('public', 'one')
    chat.sendStamp('private', 'ok')
    const first = await next(0)
    expect(first.body).toMatchObject({ visibility: 'public', content_type: 'text', text: 'one' })
    expect(asked.length).toBe(1)

    first.answer({ ok: true, data: said(String(first.body?.['id'])) })
    const second = await next(1)
    expect(second.body).toMatchObject({ visibility: 'private', content_type: 'stamp', text: 'ok' })
    second.answer({ ok: true, data: said(String(second.body?.['id'])) })
    await vi.waitFor(() => expect(store.getState().outgoing).toEqual([]), WAIT)
    expect(store.getState().messages.length).toBe(2)
  })

  test('repeats a failed message under the same id', async () => {
    const { store, chat, next, stateOf } = world()
    chat.sendText('public', 'one')
    const first = await next(0)
    first.answer(OFFLINE)
    await vi.waitFor(
      () => expect(stateOf()).toEqual([{ status: 'failed', problem: 'offline' }]),
      WAIT,
    )

    chat.tryAgain()
    const second = await next(1)
    expect(second.body).toEqual(first.body)
    second.answer({ ok: true, data: said(String(second.body?.['id'])) })
    await vi.waitFor(() => expect(store.getState().outgoing).toEqual([]), WAIT)
  })

  test('repeats messages that the service refused temporarily, also if the stream was never cut', async () => {
    vi.useFakeTimers()
    const { asked, store, chat, stateOf } = world()
    chat.sendText('public', 'one')
    await vi.advanceTimersByTimeAsync(0)
    asked[0]?.answer({ ok: false, code: 'SERVICE_UNAVAILABLE', details: [] })
    await vi.advanceTimersByTimeAsync(60_000)
    expect(asked).toHaveLength(2)
    // Nobody can discard a message that is being sent.
    expect(stateOf()).toEqual([{ status: 'sending' }])
    asked[1]?.answer(OFFLINE)
    await vi.advanceTimersByTimeAsync(60_000)
    expect(asked).toHaveLength(3)
    asked[2]?.answer({ ok: true, data: said(String(asked[2].body?.['id'])) })
    await vi.advanceTimersByTimeAsync(60_000)
    expect(asked).toHaveLength(3)
    expect(store.getState().outgoing).toEqual([])
  })

  test('ends with the visit', async () => {
    vi.useFakeTimers()
    const { asked, chat } = world()
    chat.sendText('public', 'one')
    await vi.advanceTimersByTimeAsync(0)
    asked[0]?.answer(OFFLINE)
    await vi.advanceTimersByTimeAsync(0)
    chat.close()
    await vi.advanceTimersByTimeAsync(60_000)
    expect(asked).toHaveLength(1)
  })

  test.each([
    ['RATE_LIMIT_EXCEEDED', 'too-fast'],
    ['VALIDATION_ERROR', 'refused'],
    ['SERVICE_UNAVAILABLE', 'offline'],
  ] as const)('refused with %s is shown as "%s"', async (code, problem) => {
    const { chat, next, stateOf } = world()
    chat.sendText('public', 'one')
    const { answer } = await next(0)
    answer({ ok: false, code, details: [] })
    await vi.waitFor(() => expect(stateOf()).toEqual([{ status: 'failed', problem }]), WAIT)
  })

  test('uploads a file once, even if its message is repeated', async () => {
    const { chat, next, uploads, stateOf } = world()
    chat.sendFile('public', new File(['x'], 'photo.png', { type: 'image/png' }))
    const place = await next(0)
    expect(place).toMatchObject({
      path: '/attachments',
      body: { name: 'photo.png', mime: 'image/png', size: 1, visibility: 'public' },
    })
    place.answer({ ok: true, data: { id: 'a1', upload: { url: 'put', expires_at: '' } } })
    const message = await next(1)
    expect(message.body).toMatchObject({ content_type: 'file', attachment_id: 'a1' })
    message.answer(OFFLINE)
    await vi.waitFor(
      () => expect(stateOf()).toEqual([{ status: 'failed', problem: 'offline' }]),
      WAIT,
    )

    chat.tryAgain()
    expect((await next(2)).body).toEqual(message.body)
    expect(uploads).toEqual(['put'])
  })

  test("continues with the previous visit's pending messages, and shows its refused ones", async () => {
    const { store, chat, next } = world()
    chat.sendText('public', 'too fast')
    const first = await next(0)
    first.answer({ ok: false, code: 'RATE_LIMIT_EXCEEDED', details: [] })
    chat.sendText('public', 'under way')
    await next(1)
    chat.close()
    const after = world()
    after.chat.takeOver(store.getState().outgoing)
    expect((await after.next(0)).body).toMatchObject({ text: 'under way' })
    expect(after.store.getState().outgoing).toMatchObject([
      { text: 'too fast', state: { status: 'failed', problem: 'too-fast' } },
      { text: 'under way', state: { status: 'sending' } },
    ])
  })

  test('aborts the upload of a file at the end of the visit', async () => {
    const { asked, chat, next, stateOf } = world()
    chat.sendFile('public', new File(['x'], 'photo.png', { type: 'image/png' }))
    const place = await next(0)
    chat.close()
    place.answer({ ok: true, data: { id: 'a1', upload: { url: 'put', expires_at: '' } } })
    await vi.waitFor(
      () => expect(stateOf()).toEqual([{ status: 'failed', problem: 'offline' }]),
      WAIT,
    )
    expect(asked).toHaveLength(1)
  })

  test('does not start the upload of a file that is too large', () => {
    const { asked, chat, stateOf } = world()
    chat.sendFile('public', new File([new Uint8Array(20_000_001)], 'film.pdf'))
    expect(stateOf()).toEqual([{ status: 'failed', problem: 'too-large' }])
    expect(asked).toEqual([])
  })
})

/** The first page fails to load. */
async function failToLoad({ store, chat, next }: ReturnType<typeof world>): Promise<void> {
  void chat.loadLatest()
  const first = await next(0)
  first.answer(OFFLINE)
  await vi.waitFor(() => expect(store.getState().history).toBe('failed'), WAIT)
}

describe('the history', () => {
  test('is loaded page by page, each from where the previous one ended', async () => {
    const { asked, store, chat, next } = world()
    void chat.loadLatest()
    void chat.loadOlder()
    const first = await next(0)
    first.answer(page(['c', 'b'], 'CURSOR'))
    await vi.waitFor(() => expect(store.getState().history).toBe('more'), WAIT)
    void chat.loadOlder()
    const second = await next(1)
    expect(second.path).toContain('cursor=CURSOR')
    second.answer(page(['a']))
    await vi.waitFor(() => expect(store.getState().history).toBe('complete'), WAIT)
    expect(store.getState().messages.map(({ id }) => id)).toEqual(['a', 'b', 'c'])
    await chat.loadOlder()
    expect(asked.length).toBe(2)
  })

  test('from before a purge is ignored', async () => {
    const { store, chat, next } = world()
    void chat.loadLatest()
    const first = await next(0)
    store.apply({ name: 'messages_purged', data: { visibility: null } })
    first.answer(page(['purged']))
    const again = await next(1)
    expect(store.getState().messages).toEqual([])
    again.answer(page([]))
    await vi.waitFor(() => expect(store.getState().history).toBe('complete'), WAIT)
  })

  test('that failed to load is requested again when the connection is back', async () => {
    const chatWorld = world()
    const { store, chat, next } = chatWorld
    await failToLoad(chatWorld)
    chat.tryAgain()
    const again = await next(1)
    again.answer(page(['a']))
    await vi.waitFor(() => expect(store.getState().messages.length).toBe(1), WAIT)
  })

  test('that failed to load is requested again after a while, until it loads', async () => {
    vi.useFakeTimers()
    const chatWorld = world()
    const { asked, store } = chatWorld
    await failToLoad(chatWorld)
    await vi.advanceTimersByTimeAsync(60_000)
    expect(asked.length).toBe(2)
    asked[1]?.answer({ ok: false, code: 'SERVICE_UNAVAILABLE', details: [] })
    await vi.advanceTimersByTimeAsync(60_000)
    expect(asked.length).toBe(3)
    asked[2]?.answer(page(['a']))
    await vi.advanceTimersByTimeAsync(60_000)
    expect(store.getState().history).toBe('complete')
    expect(asked.length).toBe(3)
  })

  test.each(['UNAUTHORIZED', 'SESSION_RELEASED'] as const)(
    'that is refused (%s) is not requested again',
    async (code) => {
      vi.useFakeTimers()
      const { asked, store, chat, next } = world()
      void chat.loadLatest()
      const first = await next(0)
      first.answer({ ok: false, code, details: [] })
      await vi.advanceTimersByTimeAsync(60_000)
      expect(store.getState().history).toBe('failed')
      expect(asked.length).toBe(1)
    },
  )

  test('that somebody requested meanwhile is not requested twice', async () => {
    vi.useFakeTimers()
    const chatWorld = world()
    const { asked, chat } = chatWorld
    await failToLoad(chatWorld)
    void chat.loadOlder()
    await vi.advanceTimersByTimeAsync(60_000)
    expect(asked.length).toBe(2)
  })
})

describe('the address of a file', () => {
  test('is renewed as far back as there are files, without other changes', async () => {
    const { asked, store, chat, next } = world()
    const file = (url: string): ChatMessageBody => ({
      ...said('file'),
      attachment: { url, name: 'a.pdf', mime: 'application/pdf', size: 1 },
    })
    store.addHistory([said('later'), file('old'), said('earlier')], { hasMore: false })
    const renewed = chat.renewAddresses()
    const first = await next(0)
    first.answer(page(['later', 'unknown'], 'CURSOR'))
    const second = await next(1)
    expect(second.path).toContain('cursor=CURSOR')
    second.answer({ ok: true, data: { items: [file('new')], next_cursor: 'MORE', has_more: true } })
    await renewed
    expect(asked.length).toBe(2)
    expect(store.getState().messages).toEqual([said('earlier'), file('new'), said('later')])
  })

  test('is not requested if there are no files', async () => {
    const { asked, store, chat } = world()
    store.addHistory([said('a')], { hasMore: false })
    await chat.renewAddresses()
    expect(asked).toEqual([])
  })
})

test('an id is a random UUID of version 4', () => {
  const form = /^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/
  expect(newId()).toMatch(form)
  expect(newId()).not.toBe(newId())
})
