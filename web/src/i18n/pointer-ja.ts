/** Japanese words for a moderator's pointer on a handout. Loaded together with its part of the page. */
export const pointerJa = {
  point: '資料を指し示す',
  area: '指し示す場所：矢印キーで移動、Shiftキーを押しながらで大きく移動、Escキーで終了',
  pointer: 'モデレーターのポインター',
}

export type PointerDictionary = Record<keyof typeof pointerJa, string>
