import { CHAT_STAMPS } from '@interview-room/contract/chat-rules.ts'
import type { Visibility } from '@interview-room/contract/vocabulary.ts'
import { describe, expect, test } from 'vitest'
import { stampsIn } from './channels.ts'
import { StampKeys } from './stamp-keys.ts'

const key = (number: number, altKey = false) => ({
  key: String(number),
  code: `Digit${number}`,
  keyCode: 48 + number,
  shiftKey: false,
  ctrlKey: false,
  metaKey: false,
  altKey,
  repeat: false,
  isComposing: false,
})

/** An operator, who has stamps in every chat, with these chats open. Records the sent stamps. */
function begin(...chats: readonly Visibility[]) {
  const keys = new StampKeys()
  const sent: string[] = []
  const open = (chat: Visibility) =>
    keys.open(chat, (at) => {
      const stamp = stampsIn('platform_observer', chat)[at]
      if (stamp !== undefined) sent.push(`${chat} ${stamp}`)
      return stamp !== undefined
    })
  const closes = new Map(chats.map((chat) => [chat, open(chat)]))
  const press = (number: number, within?: Visibility) =>
    keys.press(key(number), { within, isWriting: false })
  const close = (chat: Visibility) => closes.get(chat)?.()
  return { keys, sent, open, close, press }
}

describe('the key of a stamp, with two chats open,', () => {
  test('goes to the chat in which it is pressed, and to no other', () => {
    const { press, sent } = begin('public', 'private')
    press(1, 'private')
    press(1, 'public')
    expect(sent).toEqual(['private guide', 'public please_reload'])
  })

  test('goes to it with Alt, too, while somebody writes there', () => {
    const { keys, sent } = begin('public', 'private')
    keys.use('public')
    keys.press(key(1, true), { within: 'private', isWriting: true })
    keys.press(key(1), { within: 'private', isWriting: true })
    expect(sent).toEqual(['private guide'])
  })

  test('goes to the last used chat when it is pressed elsewhere', () => {
    const { keys, press, sent } = begin('public', 'private')
    keys.use('public')
    press(1)
    keys.use('private')
    press(1)
    expect(sent).toEqual(['public please_reload', 'private guide'])
  })

  test('does nothing if that chat has no such stamp', () => {
    const { press, sent } = begin('public', 'private')
    expect(press(3, 'public')).toBe(false)
    expect(sent).toEqual([])
  })

  test.each([
    ['is opened last', ['private', 'public']],
    ['is opened first', ['public', 'private']],
  ] as const)('does not go to the respondent chat because it %s', (_, chats) => {
    const { press, sent } = begin(...chats)
    press(1)
    expect(sent).toEqual(['private guide'])
  })

  test('goes to the staff chat that was opened last', () => {
    const { press, sent } = begin('private', 'observer_only')
    press(1)
    expect(sent).toEqual(['observer_only nice'])
  })

  test('does not go to a closed and reopened respondent chat only because it was used before', () => {
    const { keys, press, sent, open, close } = begin('private', 'public')
    keys.use('public')
    close('public')
    open('public')
    press(1)
    expect(sent).toEqual(['private guide'])
  })
})

describe('the key of a stamp, with one chat open,', () => {
  test.each(CHAT_STAMPS.filter(({ roles }) => roles.includes('platform_observer')))(
    'goes to it: $visibility',
    ({ visibility, identifiers: [first] }) => {
      const { press, sent } = begin(visibility)
      press(1)
      expect(sent).toEqual([`${visibility} ${first}`])
    },
  )

  test('goes to it from a chat without stamps, and does nothing if none is open', () => {
    const { press, sent, close } = begin('private')
    press(1, 'public')
    close('private')
    expect(press(1, 'private')).toBe(false)
    expect(sent).toEqual(['private guide'])
  })
})
