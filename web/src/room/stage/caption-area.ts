import type { Arrangement, Box } from './arrange-stage.ts'

interface Stage {
  width: number
  height: number
  covered: { top: number; bottom: number }
}

/**
 * The part of the stage at whose lower edge captions lie: the handout, or all of the people. A video that floats there keeps its
 * place, and captions are beside it.
 */
export function captionArea(
  { width, height, covered }: Stage,
  { stimulus, tiles, floatingId }: Arrangement,
  people: readonly { identity: string }[],
): Box {
  if (stimulus !== null) return stimulus
  const bottom = height - covered.bottom
  const whole = { left: 0, top: covered.top, width, height: Math.max(0, bottom - covered.top) }
  const floating = tiles[people.findIndex(({ identity }) => identity === floatingId)]
  const isBelow = floating !== undefined && floating.top + floating.height / 2 > height / 2
  if (!isBelow) return whole
  const right = floating.left + floating.width
  const isAtLeft = floating.left < width - right
  return isAtLeft
    ? { ...whole, left: right, width: width - right }
    : { ...whole, width: floating.left }
}
