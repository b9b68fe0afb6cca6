/** The parts of a `KeyboardEvent` that decide what a key press means. */
export interface Press {
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

/** Safari ends a composition before its Enter, and only this code marks that Enter. */
const COMPOSING_KEY_CODE = 229

/** Enter sends. With Shift it is a line break, and during a composition it belongs to the input method. */
export function isSendKey(press: Press): boolean {
  const isConverting = press.isComposing || press.keyCode === COMPOSING_KEY_CODE
  return press.key === 'Enter' && !press.shiftKey && !press.altKey && !isConverting
}
