import { isPlain, type KeyPress, type Place } from '../tools/shortcut.ts'

/** An enlarged picture scrolls with the same keys. */
const SCROLLED = '[data-near=true]'

/** Which page a key turns to, pressed anywhere on the stage; null for a press that means something else. */
export function turnKey(press: KeyPress, place: Place | null): 'previous' | 'next' | null {
  if (!isPlain(press) || place?.closest(SCROLLED)) return null
  if (press.key === 'PageUp') return 'previous'
  return press.key === 'PageDown' ? 'next' : null
}
