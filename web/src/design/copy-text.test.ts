import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { copyText } from './copy-text.ts'

const REFUSED = new DOMException('', 'NotAllowedError')

class FakeElement {
  isFocused = false
  focus(): void {
    this.isFocused = true
  }
}

let button: FakeElement
/** The text that was copied by selecting it. */
let copied: string | undefined
let isCopyingAllowed: boolean

beforeEach(() => {
  button = new FakeElement()
  copied = undefined
  isCopyingAllowed = true
  const field = { value: '', className: '', select: () => {}, remove: () => {} }
  vi.stubGlobal('HTMLElement', FakeElement)
  vi.stubGlobal('navigator', {})
  vi.stubGlobal('document', {
    activeElement: button,
    createElement: () => field,
    body: { append: () => {} },
    execCommand: () => {
      if (isCopyingAllowed) copied = field.value
      return isCopyingAllowed
    },
  })
})
afterEach(() => {
  vi.unstubAllGlobals()
})

test('a text is copied with the clipboard API', async () => {
  let written = ''
  const writeText = async (text: string) => {
    written = text
  }
  vi.stubGlobal('navigator', { clipboard: { writeText } })
  expect(await copyText('secret')).toBe(true)
  expect({ written, copied }).toEqual({ written: 'secret', copied: undefined })
})

test('without a clipboard API it is selected and copied, and the button keeps the focus', async () => {
  expect(await copyText('secret')).toBe(true)
  expect(copied).toBe('secret')
  expect(button.isFocused).toBe(true)
})

test('returns false if the browser forbids copying', async () => {
  isCopyingAllowed = false
  vi.stubGlobal('navigator', { clipboard: { writeText: async () => Promise.reject(REFUSED) } })
  expect(await copyText('secret')).toBe(false)
})
