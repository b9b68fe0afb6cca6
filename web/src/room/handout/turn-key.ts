import type { KeyPress } from '../tools/shortcut.ts'

/** An enlarged picture scrolls with the same keys. */
const SCROLLED = '[data-near=true]'

interface Place {
  closest(selectors: string): unknown
}

/** Which page a key turns to, pressed anywhere on the stage; null for a press that means something else. */
export function turnKey(press: KeyPress, place: Place | null): 'previous' | 'next' | null {
  const isChord = press.ctrlKey || press.metaKey || press.altKey
  if (isChord || press.repeat || press.isComposing || place?.closest(SCROLLED)) return null
  if (press.key === 'PageUp') return 'previous'
  return press.key === 'PageDown' ? 'next' : null
}
