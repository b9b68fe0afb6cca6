import type { PointerDictionary } from './pointer-ja.ts'

/** A moderator's pointer on a handout, in English. */
export const pointerEn: PointerDictionary = {
  point: 'Point at the handout',
  area: 'Pointer area: arrow keys move, with Shift further, Escape ends',
  pointer: 'The moderator’s pointer',
}
