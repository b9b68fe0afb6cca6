/** The parts of a `KeyboardEvent` that decide what a key press means. */
export interface KeyPress {
  key: string
  ctrlKey: boolean
  metaKey: boolean
  altKey: boolean
  shiftKey: boolean
  repeat: boolean
  isComposing: boolean
}

/**
 * Elements in which a letter is no shortcut: input fields, and overlays with their own keys. Shortcuts still work in
 * a panel that mentions one and has no input field.
 */
const BUSY =
  'input, textarea, select, [contenteditable], [role=dialog]:not([data-shortcuts]), [role=alertdialog], [role=listbox], [role=menu], [role=slider]'

export interface Place {
  closest(selectors: string): unknown
}

/** A single press without modifiers but Shift, outside of an input method's composition. */
export function isPlain(press: KeyPress): boolean {
  const isChord = press.ctrlKey || press.metaKey || press.altKey
  return !(isChord || press.repeat || press.isComposing)
}

/** The key, such as `m` or `shift+r`, or null for a press with another meaning. */
export function shortcutOf(press: KeyPress, place: Place | null): string | null {
  if (!isPlain(press) || press.key.length !== 1) return null
  if (place?.closest(BUSY)) return null
  const letter = press.key.toLowerCase()
  const isShifted = press.shiftKey && letter !== press.key
  return isShifted ? `shift+${letter}` : letter
}
