import { describe, expect, test } from 'vitest'
import { isSendKey } from './send-key.ts'

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

describe('in a field that sends', () => {
  test.each([
    ['Enter sends', ENTER, true],
    ['Ctrl and Enter send', { ...ENTER, ctrlKey: true }, true],
    ['Shift and Enter begin a new line', { ...ENTER, shiftKey: true }, false],
    ['Enter that ends a conversion does not send', { ...ENTER, isComposing: true }, false],
    ['nor does it in Safari, where it comes after the end', { ...ENTER, keyCode: 229 }, false],
    ['a letter does not send', { ...ENTER, key: 'a', code: 'KeyA' }, false],
  ])('%s', (_, press, isSent) => {
    expect(isSendKey(press)).toBe(isSent)
  })
})
