import { CHAT_TEXT_MAX } from '@interview-room/contract/limits.ts'
import type { Press } from '../../design/send-key.ts'

/**
 * The index of the stamp for a key press: Alt and a number anywhere, or the number alone if nobody is writing. It
 * uses the key's position, because Alt changes the character on some keyboards.
 */
export function stampAt(press: Press, isWriting: boolean): number | undefined {
  const [, block, digit] = /^(Digit|Numpad)([1-9])$/.exec(press.code) ?? []
  const isOther = press.ctrlKey || press.metaKey || press.shiftKey || press.repeat
  if (digit === undefined || isOther || press.isComposing) return undefined
  // Without NumLock the keypad moves the cursor, and with Alt it types characters by number on Windows.
  if (block === 'Numpad' && (press.altKey || press.key !== digit)) return undefined
  if (!press.altKey && isWriting) return undefined
  return Number(digit) - 1
}

/** The number of characters as the service counts them. */
export function lengthOf(text: string): number {
  return Array.from(text).length
}

/** The message in a draft. Undefined if it is empty or too long. */
export function messageOf(draft: string): string | undefined {
  const text = draft.trim()
  return text === '' || lengthOf(text) > CHAT_TEXT_MAX ? undefined : text
}
