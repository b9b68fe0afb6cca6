import { describe, expect, test } from 'vitest'
import { actionOf } from './keys.ts'

const press = (key: string, given: object = {}) => ({
  key,
  ctrlKey: false,
  metaKey: false,
  altKey: false,
  shiftKey: false,
  isComposing: false,
  ...given,
})
const anywhere = { closest: () => null }
/** A place inside of an element that this part of a selector matches. */
const inside = (part: string) => ({
  closest: (selectors: string) => (selectors.includes(part) ? {} : null),
})

describe('a key', () => {
  test.each([
    [' ', 'toggle'],
    ['K', 'toggle'],
    ['j', 'farBack'],
    ['l', 'farForth'],
    ['<', 'slower'],
    ['>', 'faster'],
    ['ArrowLeft', 'back'],
    ['ArrowRight', 'forth'],
    [',', 'frameBack'],
    ['.', 'frameForth'],
    ['c', 'comment'],
    ['i', 'clipStart'],
    ['o', 'clipEnd'],
    ['?', 'help'],
    ['x', null],
  ])('%s means %s', (key, action) => {
    expect(actionOf(press(key), anywhere)).toBe(action)
  })

  test('with Shift moves by sentences', () => {
    expect(actionOf(press('ArrowRight', { shiftKey: true }), anywhere)).toBe('nextSentence')
    expect(actionOf(press('ArrowLeft', { shiftKey: true }), anywhere)).toBe('previousSentence')
  })

  test.each(['ctrlKey', 'metaKey', 'altKey', 'isComposing'])('with %s means nothing', (member) => {
    expect(actionOf(press('c', { [member]: true }), anywhere)).toBeNull()
  })

  test.each(['textarea', 'select', '[role=dialog]', '[role=menu]'])(
    'in %s means nothing to the page',
    (part) => {
      expect(actionOf(press('c'), inside(part))).toBeNull()
      expect(actionOf(press('ArrowLeft'), inside(part))).toBeNull()
    },
  )

  test('that presses a button does not play as well', () => {
    expect(actionOf(press(' '), inside('button'))).toBeNull()
    expect(actionOf(press('k'), inside('button'))).toBe('toggle')
  })
})
