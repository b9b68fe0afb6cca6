import type { ChatMessageBody } from '@interview-room/contract/chat.ts'
import { describe, expect, test } from 'vitest'
import { LiveStore, type OutgoingChatMessage } from './store.ts'

const ME = '00000000-0000-4000-8000-0000000000aa'
const NOW = '2030-01-01T10:00:00.000Z'

function message(id: string, over: Partial<ChatMessageBody> = {}): ChatMessageBody {
  return {
    id,
    visibility: 'public',
    participant_id: '00000000-0000-4000-8000-0000000000bb',
    sender_name: 'Sato',
    content_type: 'text',
    text: id,
    attachment: null,
    created_at: NOW,
    ...over,
  }
}

const at = (second: number) => `2030-01-01T10:00:${String(second).padStart(2, '0')}.000Z`
const SNAPSHOT = {
  now: NOW,
  slot: null,
  roster: [],
  presentation: null,
  recording: null,
  facts: [],
}

function newStore(): LiveStore {
  const store = new LiveStore({ participantId: ME })
  store.apply({ name: 'snapshot', data: SNAPSHOT }, Date.parse(NOW))
  return store
}

const event = (store: LiveStore, body: ChatMessageBody) =>
  store.apply({ name: 'message', data: body })
const idsOf = (store: LiveStore) => store.getState().messages.map(({ id }) => id)

describe('messages', () => {
  test('are sorted by time, regardless of their source', () => {
    const store = newStore()
    event(store, message('c', { created_at: at(3) }))
    store.addHistory([message('b', { created_at: at(2) }), message('a', { created_at: at(1) })], {
      hasMore: false,
    })
    event(store, message('d', { created_at: at(4) }))
    expect(idsOf(store)).toEqual(['a', 'b', 'c', 'd'])
    expect(store.getState().history).toBe('complete')
  })

  test('of the same time keep the order of their arrival; older pages come first', () => {
    const store = newStore()
    event(store, message('z'))
    event(store, message('y'))
    store.addHistory([message('x'), message('w')], { hasMore: true })
    store.addHistory([message('v')], { hasMore: false })
    expect(idsOf(store)).toEqual(['v', 'w', 'x', 'z', 'y'])
  })

  test('appear once, even if stream, history and answer all contain them', () => {
    const store = newStore()
    event(store, message('a'))
    store.addHistory([message('a')], { hasMore: false })
    store.confirm(message('a'), store.era)
    event(store, message('a', { text: 'as it is now' }))
    expect(store.getState().messages).toEqual([message('a', { text: 'as it is now' })])
  })

  test('that a new snapshot does not repeat are removed; messages published since then stay', () => {
    const store = newStore()
    event(store, message('gone', { created_at: at(1) }))
    event(store, message('kept', { created_at: at(2) }))
    store.apply({ name: 'snapshot', data: SNAPSHOT })
    event(store, message('new', { created_at: at(4) }))
    store.addHistory(
      [message('missed', { created_at: at(3) }), message('kept', { created_at: at(2) })],
      { hasMore: false },
    )
    expect(idsOf(store)).toEqual(['kept', 'missed', 'new'])
  })
})

describe('a purge', () => {
  test('empties one visibility and its count', () => {
    const store = newStore()
    event(store, message('a'))
    event(store, message('b', { visibility: 'private' }))
    store.apply({ name: 'messages_purged', data: { visibility: 'private' } })
    expect(idsOf(store)).toEqual(['a'])
    expect(store.getState().unread).toEqual({ public: 1, private: 0, observer_only: 0 })
  })

  test('of everything empties everything', () => {
    const store = newStore()
    event(store, message('a'))
    event(store, message('b', { visibility: 'observer_only' }))
    store.apply({ name: 'messages_purged', data: { visibility: null } })
    expect(idsOf(store)).toEqual([])
    expect(store.getState().unread).toEqual({ public: 0, private: 0, observer_only: 0 })
  })

  test('is not undone by an answer that was under way', () => {
    const store = newStore()
    const { era } = store
    store.apply({ name: 'messages_purged', data: { visibility: null } })
    store.confirm(message('a', { participant_id: ME }), era)
    expect(idsOf(store)).toEqual([])
  })
})

describe('unread messages', () => {
  test('are counted by channel, without own messages and the history', () => {
    const store = newStore()
    store.addHistory([message('old')], { hasMore: false })
    event(store, message('a'))
    event(store, message('b', { visibility: 'private' }))
    event(store, message('mine', { participant_id: ME }))
    expect(store.getState().unread).toEqual({ public: 1, private: 1, observer_only: 0 })
  })

  test('leave out the messages of the service about the recording', () => {
    const store = newStore()
    event(store, message('status', { content_type: 'archive_status', participant_id: null }))
    expect(store.getState().unread.public).toBe(0)
  })

  test('are not counted in a visible channel, and are counted again when it is hidden', () => {
    const store = newStore()
    event(store, message('a'))
    const hide = store.show('public')
    event(store, message('b'))
    expect(store.getState().unread.public).toBe(0)
    hide()
    event(store, message('c'))
    expect(store.getState().unread.public).toBe(1)
  })

  test('include a message that was missed during a long disconnect', () => {
    const store = newStore()
    event(store, message('a'))
    store.apply({ name: 'snapshot', data: SNAPSHOT })
    store.addHistory([message('missed'), message('a')], { hasMore: false })
    expect(store.getState().unread.public).toBe(2)
  })
})

describe('an outgoing message', () => {
  const outgoing: OutgoingChatMessage = {
    id: 'out',
    visibility: 'private',
    contentType: 'text',
    text: 'hello',
    file: null,
    progress: 0,
    state: { status: 'sending' },
  }

  test('stays until the stream or the answer contains it, and is marked as own', () => {
    const store = new LiveStore({ participantId: null })
    store.putOutgoing(outgoing)
    const failed = { ...outgoing, state: { status: 'failed', problem: 'offline' } } as const
    store.putOutgoing(failed)
    expect(store.getState().outgoing).toEqual([failed])

    event(store, message('out', { visibility: 'private', participant_id: null }))
    expect(store.getState().outgoing).toEqual([])
    expect(store.isMine(message('out', { participant_id: null }))).toBe(true)
    expect(store.getState().unread.private).toBe(0)
  })
})

const SLOT = { starts_at: at(10), ends_at: at(20), closes_at: at(30) }
const marker = (createdAt: string) =>
  ({
    type: 'marker',
    participant_id: null,
    identity: 'sato',
    display_name: 'Sato',
    payload: null,
    created_at: createdAt,
  }) as const

describe('the clock of the service', () => {
  test('is compared again with each sign of life, but not for the delay of the network', () => {
    const store = newStore()
    store.setTime(Date.parse(NOW) + 700, Date.parse(NOW))
    expect(store.getState().clockOffsetMs).toBe(0)
    // The machine slept for a minute, in which its monotonic clock stood still.
    store.setTime(Date.parse(NOW) + 60_000, Date.parse(NOW))
    expect(store.getState().clockOffsetMs).toBe(60_000)
  })
})

describe('the room around the messages', () => {
  test('follows the snapshot and the later events', () => {
    const store = newStore()
    const earlier = Date.parse('2030-01-01T09:59:58.000Z')
    store.apply({ name: 'snapshot', data: { ...SNAPSHOT, slot: SLOT } }, earlier)
    expect(store.getState()).toMatchObject({ stream: 'live', clockOffsetMs: 2000 })
    expect(store.getState().slot?.closesAt).toEqual(new Date(at(30)))

    store.apply({ name: 'window', data: { ...SLOT, ends_at: at(40), closes_at: at(50) } })
    store.apply({ name: 'handouts', data: {} })
    expect(store.getState().slot).toEqual({
      startsAt: new Date(at(10)),
      endsAt: new Date(at(40)),
      closesAt: new Date(at(50)),
    })
    expect(store.getState().handoutsVersion).toBe(1)
  })

  test('has earlier and new events', () => {
    const store = newStore()
    const before = [marker('2030-01-01T09:40:00.000Z'), marker('2030-01-01T09:50:00.000Z')]
    store.apply({ name: 'snapshot', data: { ...SNAPSHOT, facts: before } })
    store.apply({ name: 'fact', data: marker(at(1)) })
    const { facts } = store.getState()
    expect(facts.map(({ isPast }) => isPast)).toEqual([true, false, false])
    expect(new Set(facts.map(({ key }) => key)).size).toBe(3)

    store.apply({ name: 'snapshot', data: { ...SNAPSHOT, facts: [...before, marker(at(1))] } })
    expect(store.getState().facts.map(({ key }) => key)).toEqual(facts.map(({ key }) => key))
  })
})

describe('the spotlight', () => {
  test('follows the stream, and is read from the snapshot of a service that knows it', () => {
    const store = newStore()
    expect(store.getState().spotlight).toBe(null)
    store.apply({ name: 'spotlight', data: { identity: 'a' } })
    expect(store.getState().spotlight).toBe('a')
    store.apply({ name: 'snapshot', data: { ...SNAPSHOT, spotlight: 'b' } }, Date.parse(NOW))
    expect(store.getState().spotlight).toBe('b')
    // A snapshot of the previous release has no spotlight.
    store.apply({ name: 'snapshot', data: SNAPSHOT }, Date.parse(NOW))
    expect(store.getState().spotlight).toBe(null)
  })
})

const question = (id: string, status: 'open' | 'asked') => ({
  id,
  text: id,
  status,
  participant_id: ME,
  display_name: 'Obi',
  created_at: NOW,
})

describe('questions for the moderator', () => {
  test('are listed once each, in their current state, and survive a new snapshot', () => {
    const store = newStore()
    const known = () => store.getState().questions.map(({ id, status }) => `${id} ${status}`)
    store.apply({ name: 'question', data: question('a', 'open') })
    store.apply({ name: 'question', data: question('b', 'open') })
    store.apply({ name: 'question', data: question('a', 'asked') })
    expect(known()).toEqual(['a asked', 'b open'])
    const questions = [question('b', 'asked')]
    store.apply({ name: 'snapshot', data: { ...SNAPSHOT, questions } }, Date.parse(NOW))
    expect(known()).toEqual(['b asked'])
  })
})

const caption = (text: string) => ({
  participant_id: null,
  identity: 'mori',
  segment: text,
  text,
  final: true,
  language: 'ja-JP',
  is_translation: false,
})
const liveTextOf = (store: LiveStore) => {
  const { hasLiveText, utterances } = store.getState()
  return [hasLiveText, utterances.map(({ original }) => original?.text)]
}

test('live text begins and ends with the event that says so, and a late text brings nothing back', () => {
  const store = newStore()
  store.apply({ name: 'caption', data: caption('too early') })
  expect(liveTextOf(store)).toEqual([false, []])
  store.apply({ name: 'live_text', data: { has_live_text: true } })
  store.apply({ name: 'caption', data: caption('hello') })
  expect(liveTextOf(store)).toEqual([true, ['hello']])
  store.apply({ name: 'live_text', data: { has_live_text: false } })
  store.apply({ name: 'caption', data: caption('too late') })
  expect(liveTextOf(store)).toEqual([false, []])
})
