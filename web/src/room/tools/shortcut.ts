/** What a key press is judged by; a `KeyboardEvent` is one. */
export interface KeyPress {
  key: string
  ctrlKey: boolean
  metaKey: boolean
  altKey: boolean
  repeat: boolean
  isComposing: boolean
}

/**
 * Where a letter is a letter: fields of any kind, and overlays that have keys of their own. A panel that names a
 * shortcut, and has nothing to type into, keeps them.
 */
const BUSY =
  'input, textarea, select, [contenteditable], [role=dialog]:not([data-shortcuts]), [role=alertdialog], [role=listbox], [role=menu], [role=slider]'

export interface Place {
  closest(selectors: string): unknown
}

/** Without another key, pressed once, and no part of a word that is being composed. */
export function isPlain(press: KeyPress): boolean {
  const isChord = press.ctrlKey || press.metaKey || press.altKey
  return !(isChord || press.repeat || press.isComposing)
}

/** The key as it stands in the list of shortcuts, or null for a press that means something else. */
export function shortcutOf(press: KeyPress, place: Place | null): string | null {
  if (!isPlain(press) || press.key.length !== 1) return null
  return place?.closest(BUSY) ? null : press.key.toLowerCase()
}
