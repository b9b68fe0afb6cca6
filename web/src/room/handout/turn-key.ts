import { isPlain, type KeyPress, type Place } from '../tools/shortcut.ts'

/** An enlarged picture scrolls with the same keys. */
const SCROLLED = '[data-near=true]'

/** The direction in which a key press on the stage turns. Null for a press with another meaning. */
export function turnKey(press: KeyPress, place: Place | null): 'previous' | 'next' | null {
  if (!isPlain(press) || place?.closest(SCROLLED)) return null
  if (press.key === 'PageUp') return 'previous'
  return press.key === 'PageDown' ? 'next' : null
}
