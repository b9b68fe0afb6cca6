/** The meanings of keys on the page. */
export type KeyAction =
  | 'toggle'
  | 'back'
  | 'forth'
  | 'farBack'
  | 'farForth'
  | 'slower'
  | 'faster'
  | 'previousSentence'
  | 'nextSentence'
  | 'frameBack'
  | 'frameForth'
  | 'comment'
  | 'clipStart'
  | 'clipEnd'
  | 'search'
  | 'captions'
  | 'mute'
  | 'fullScreen'
  | 'help'

interface Press {
  key: string
  ctrlKey: boolean
  metaKey: boolean
  altKey: boolean
  shiftKey: boolean
  isComposing: boolean
}

/** Elements in which keys write, choose or move something else. */
const WRITES = 'input:not([type=range]), textarea, select, [contenteditable]'
const OVERLAYS = '[role=dialog], [role=alertdialog], [role=menu], [role=listbox]:not([data-lines])'
/** Elements that the space bar presses, and those that arrows move in. */
const PRESSED = 'button, a[href], [role=tab], summary, label'
const MOVED = '[role=tablist], [data-marks], input[type=range]:not([data-seek])'

interface Place {
  closest(selectors: string): unknown
}

const LETTERS: Readonly<Record<string, KeyAction>> = {
  ' ': 'toggle',
  k: 'toggle',
  j: 'farBack',
  l: 'farForth',
  '<': 'slower',
  '>': 'faster',
  ',': 'frameBack',
  '.': 'frameForth',
  c: 'comment',
  i: 'clipStart',
  o: 'clipEnd',
  '/': 'search',
  v: 'captions',
  m: 'mute',
  f: 'fullScreen',
  '?': 'help',
}

/** The meaning of a key press at a place of the page. Null where it writes, or has another meaning there. */
export function actionOf(press: Press, place: Place | null): KeyAction | null {
  const isChord = press.ctrlKey || press.metaKey || press.altKey
  if (isChord || press.isComposing) return null
  if (place?.closest(WRITES) || place?.closest(OVERLAYS)) return null
  if (press.key === 'ArrowLeft' || press.key === 'ArrowRight') return arrowOf(press, place)
  if (press.key === ' ' && place?.closest(PRESSED)) return null
  return LETTERS[press.key.toLowerCase()] ?? null
}

function arrowOf({ key, shiftKey }: Press, place: Place | null): KeyAction | null {
  if (place?.closest(MOVED)) return null
  if (shiftKey) return key === 'ArrowLeft' ? 'previousSentence' : 'nextSentence'
  return key === 'ArrowLeft' ? 'back' : 'forth'
}
