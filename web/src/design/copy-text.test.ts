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
/** What a selection has put on the clipboard. */
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

test('a text is copied by the clipboard', async () => {
  let written = ''
  const writeText = async (text: string) => {
    written = text
  }
  vi.stubGlobal('navigator', { clipboard: { writeText } })
  expect(await copyText('secret')).toBe(true)
  expect({ written, copied }).toEqual({ written: 'secret', copied: undefined })
})

test('without a clipboard it is selected and copied, and the button keeps the focus', async () => {
  expect(await copyText('secret')).toBe(true)
  expect(copied).toBe('secret')
  expect(button.isFocused).toBe(true)
})

test('where the browser does not let the page copy, that is known', async () => {
  isCopyingAllowed = false
  vi.stubGlobal('navigator', { clipboard: { writeText: async () => Promise.reject(REFUSED) } })
  expect(await copyText('secret')).toBe(false)
})
