import { CHAT_TEXT_MAX } from '@interview-room/contract/limits.ts'

/** What a key press is judged by; a `KeyboardEvent` is one. */
interface Press {
  key: string
  code: string
  keyCode: number
  shiftKey: boolean
  ctrlKey: boolean
  metaKey: boolean
  altKey: boolean
  repeat: boolean
  isComposing: boolean
}

/** Safari ends a composition before its Enter, and marks that by this code only. */
const COMPOSING_KEY_CODE = 229

/** Enter sends; with Shift it is a line break, and while text is being converted it belongs to that. */
export function isSendKey(press: Press): boolean {
  const isConverting = press.isComposing || press.keyCode === COMPOSING_KEY_CODE
  return press.key === 'Enter' && !press.shiftKey && !press.altKey && !isConverting
}

/**
 * The place, from 0, of the stamp that a key press means: Alt and a number anywhere, the number alone
 * where nobody writes. By the key's place, because Alt changes the character on some keyboards.
 */
export function stampAt(press: Press, isWriting: boolean): number | undefined {
  const [, block, digit] = /^(Digit|Numpad)([1-9])$/.exec(press.code) ?? []
  const isOther = press.ctrlKey || press.metaKey || press.shiftKey || press.repeat
  if (digit === undefined || isOther || press.isComposing) return undefined
  // Its keys move about without NumLock, and with Alt they write characters by their numbers on Windows.
  if (block === 'Numpad' && (press.altKey || press.key !== digit)) return undefined
  if (!press.altKey && isWriting) return undefined
  return Number(digit) - 1
}

/** Characters as the service counts them. */
export function lengthOf(text: string): number {
  return Array.from(text).length
}

/** The message that a draft is, or undefined when there is nothing to send or too much. */
export function messageOf(draft: string): string | undefined {
  const text = draft.trim()
  return text === '' || lengthOf(text) > CHAT_TEXT_MAX ? undefined : text
}
