import { expect, test } from 'vitest'
import { turnKey } from './turn-key.ts'

const press = {
  key: 'PageDown',
  ctrlKey: false,
  metaKey: false,
  altKey: false,
  shiftKey: false,
  repeat: false,
  isComposing: false,
}
const somewhere = { closest: () => null }
const inEnlarged = { closest: (what: string) => (what === '[data-near=true]' ? {} : null) }

test('Page Up and Page Down turn the page, and no other key does', () => {
  expect(turnKey(press, somewhere)).toBe('next')
  expect(turnKey({ ...press, key: 'PageUp' }, somewhere)).toBe('previous')
  expect(turnKey({ ...press, key: 'ArrowDown' }, somewhere)).toBeNull()
  expect(turnKey({ ...press, key: 'n' }, null)).toBeNull()
})

test.each(['ctrlKey', 'metaKey', 'altKey', 'repeat', 'isComposing'] as const)(
  'with %s they do not',
  (member) => {
    expect(turnKey({ ...press, [member]: true }, somewhere)).toBeNull()
  },
)

test('they scroll an enlarged picture', () => {
  expect(turnKey(press, inEnlarged)).toBeNull()
})
