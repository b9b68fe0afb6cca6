import type { Arrangement, Box } from './arrange-stage.ts'

interface Stage {
  width: number
  height: number
  covered: { top: number; bottom: number }
}

/** In lower tiles, two rows above the name would cover the middle of a face. */
const LOW_PX = 260
/** Tiles this close to the largest one are as large. */
const LARGE_SHARE = 0.9

/**
 * The part of the stage at whose lower edge captions lie: the handout, or the largest tiles. A video that floats there keeps its
 * place, and captions are beside it.
 */
export function captionArea(
  stage: Stage,
  { stimulus, tiles, floatingId }: Arrangement,
  people: readonly { identity: string }[],
): Box {
  if (stimulus !== null) return stimulus
  const floating = tiles[people.findIndex(({ identity }) => identity === floatingId)]
  const area = areaOf(
    stage,
    tiles.filter((tile) => tile !== floating),
  )
  const isBelow = floating !== undefined && floating.top + floating.height / 2 > stage.height / 2
  if (!isBelow) return area
  const end = floating.left + floating.width
  const right = area.left + area.width
  const isAtLeft = floating.left - area.left < right - end
  if (isAtLeft) return between(area, Math.max(area.left, end), right)
  return between(area, area.left, Math.min(right, floating.left))
}

/** True if captions must be as low as they can be, even over names. */
export function areFacesLow({ stimulus, tiles }: Arrangement): boolean {
  return stimulus === null && Math.max(0, ...tiles.map(({ height }) => height)) < LOW_PX
}

/** Around the largest tiles, as far as no control covers it. */
function areaOf({ width, height, covered }: Stage, tiles: readonly Box[]): Box {
  const largest = Math.max(0, ...tiles.map(sizeOf))
  const large = tiles.filter((tile) => sizeOf(tile) >= LARGE_SHARE * largest)
  const left = Math.max(0, Math.min(width, ...large.map((tile) => tile.left)))
  const right = Math.min(width, Math.max(0, ...large.map((tile) => tile.left + tile.width)))
  const lowest = Math.max(0, ...large.map((tile) => tile.top + tile.height))
  const bottom = Math.min(height - covered.bottom, lowest)
  const top = Math.max(covered.top, Math.min(height, ...large.map((tile) => tile.top)))
  return between({ left, top, width, height: Math.max(0, bottom - top) }, left, right)
}

const sizeOf = ({ width, height }: Box): number => width * height

function between(area: Box, left: number, right: number): Box {
  return { ...area, left, width: Math.max(0, right - left) }
}
