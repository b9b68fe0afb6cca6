import { describe, expect, test } from 'vitest'
import { shortcutOf } from './shortcut.ts'

const press = {
  key: 'b',
  ctrlKey: false,
  metaKey: false,
  altKey: false,
  shiftKey: false,
  repeat: false,
  isComposing: false,
}
const somewhere = { closest: () => null }
const inField = { closest: () => ({}) }

describe('a key', () => {
  test('without a modifier is a shortcut, in lower case', () => {
    expect(shortcutOf(press, somewhere)).toBe('b')
    expect(shortcutOf({ ...press, key: 'B' }, null)).toBe('b')
    expect(shortcutOf({ ...press, key: '?', shiftKey: true }, somewhere)).toBe('?')
    expect(shortcutOf({ ...press, key: 'R', shiftKey: true }, somewhere)).toBe('shift+r')
  })

  test.each(['ctrlKey', 'metaKey', 'altKey', 'repeat', 'isComposing'] as const)(
    'with %s is not a shortcut',
    (member) => {
      expect(shortcutOf({ ...press, [member]: true }, somewhere)).toBeNull()
    },
  )

  test('while somebody is writing, or in a dialog, is not a shortcut', () => {
    expect(shortcutOf(press, inField)).toBeNull()
  })

  test('with a name instead of a character is not a shortcut', () => {
    expect(shortcutOf({ ...press, key: 'Enter' }, somewhere)).toBeNull()
    expect(shortcutOf({ ...press, key: 'Process' }, somewhere)).toBeNull()
  })
})
