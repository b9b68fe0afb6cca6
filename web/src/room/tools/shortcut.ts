/** What a key press is judged by; a `KeyboardEvent` is one. */
export interface KeyPress {
  key: string
  ctrlKey: boolean
  metaKey: boolean
  altKey: boolean
  repeat: boolean
  isComposing: boolean
}

/** Where a letter is a letter: fields of any kind, and overlays that have keys of their own. */
const BUSY =
  'input, textarea, select, [contenteditable], [role=dialog], [role=alertdialog], [role=listbox], [role=menu], [role=slider]'

interface Place {
  closest(selectors: string): unknown
}

/** The key as it stands in the list of shortcuts, or null for a press that means something else. */
export function shortcutOf(press: KeyPress, place: Place | null): string | null {
  const isChord = press.ctrlKey || press.metaKey || press.altKey
  if (isChord || press.repeat || press.isComposing || press.key.length !== 1) return null
  return place?.closest(BUSY) ? null : press.key.toLowerCase()
}
