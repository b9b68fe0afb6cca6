import { describe, expect, test } from 'vitest'
import { messageOf, stampAt } from './keys.ts'

const ENTER = {
  key: 'Enter',
  code: 'Enter',
  keyCode: 13,
  shiftKey: false,
  ctrlKey: false,
  metaKey: false,
  altKey: false,
  repeat: false,
  isComposing: false,
}
const ONE = { ...ENTER, key: '1', code: 'Digit1', keyCode: 49 }

describe('a stamp by its number', () => {
  test.each([
    ['goes out where nobody writes', ONE, false, 0],
    ['is a number where somebody writes', ONE, true, undefined],
    ['with Alt goes out even there', { ...ONE, altKey: true }, true, 0],
    [
      'is known by its place, whatever Alt makes of it',
      { ...ONE, key: '¡', altKey: true },
      true,
      0,
    ],
    ['comes from the number block too', { ...ONE, key: '3', code: 'Numpad3' }, false, 2],
    [
      'is not sent by a number block that moves about',
      { ...ONE, key: 'End', code: 'Numpad1' },
      false,
      undefined,
    ],
    [
      'is not sent by a character that is written by its number',
      { ...ONE, code: 'Numpad1', altKey: true },
      true,
      undefined,
    ],
    ['is not sent by a conversion', { ...ONE, isComposing: true, altKey: true }, true, undefined],
    ['is not sent by the browser’s own keys', { ...ONE, ctrlKey: true }, false, undefined],
    ['is sent once, however long the key is held', { ...ONE, repeat: true }, false, undefined],
    ['is undefined for zero', { ...ONE, key: '0', code: 'Digit0' }, false, undefined],
  ])('%s', (...[, press, isWriting, place]) => {
    expect(stampAt(press, isWriting)).toBe(place)
  })
})

describe('a draft', () => {
  test.each([
    ['blank is no message', ' \n ', undefined],
    ['is sent without the space around it', ' はい \n', 'はい'],
    ['keeps its line breaks', 'a\n\nb', 'a\n\nb'],
    [
      'of 4,000 characters is sent, by characters and not by units',
      '😀'.repeat(4000),
      '😀'.repeat(4000),
    ],
    ['of more is not', 'a'.repeat(4001), undefined],
  ])('%s', (_, draft, message) => {
    expect(messageOf(draft)).toBe(message)
  })
})
