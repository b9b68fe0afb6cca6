import { type Arrangement, arrangeStage, type Box, type StageScene } from './arrange-stage.ts'

/** The letters of captions: their size by choice, and that of the page, both in CSS pixels. */
interface CaptionLetters {
  sizePx: number
  remPx: number
}

/** A stage with the place of captions. Without captions, `place` is null. */
interface CaptionedStage {
  arrangement: Arrangement
  place: CaptionPlace | null
}

export interface CaptionPlace {
  box: Box
  /** Captions have the place for themselves. Otherwise they lie over the lower part of a picture. */
  isStrip: boolean
  /** The place has one row only: the last words of whoever spoke last. */
  hasOneRow: boolean
}

type Scene = StageScene & Required<Pick<StageScene, 'covered'>>

/** In lower tiles, two rows above the name would cover the middle of a face. */
const LOW_PX = 260
/** Two rows may take this share of a picture. Large letters need a higher one. */
const PICTURE_SHARE_MAX = 0.5
/** Tiles this close to the largest one are as large. */
const LARGE_SHARE = 0.9
/** Two rows may take this share of the stage, else there is one. */
const STAGE_SHARE_MAX = 0.3
/** The same sizes as in captions.module.css and stage.module.css. */
const LEADING = 1.5
const SIZE_SHARE_MAX = 0.11
const NAME_REM = 0.875
const NAME_SHARE_MAX = 0.08
const NARROW_REM = 24
const SIDES_REM = 1
const EDGES_REM = 1

/**
 * Arranges the stage, and places captions: over the lower part of large pictures, and in a strip of their own below a handout and
 * below pictures so small that captions would cover names and faces.
 */
export function arrangeCaptioned(scene: Scene, letters: CaptionLetters | null): CaptionedStage {
  const whole = arrangeStage(scene)
  if (letters === null) return { arrangement: whole, place: null }
  const { width, height, covered } = scene
  const twoRowsPx = stripPx(width, letters, 2)
  if (!isSmall(whole, twoRowsPx)) {
    const box = overPictures(scene, whole)
    return { arrangement: whole, place: { box, isStrip: false, hasOneRow: false } }
  }
  const freePx = Math.max(0, height - covered.top - covered.bottom)
  const hasOneRow = twoRowsPx > STAGE_SHARE_MAX * freePx
  const takenPx = Math.min(freePx, hasOneRow ? stripPx(width, letters, 1) : twoRowsPx)
  const bottom = covered.bottom + takenPx
  const box = { left: 0, top: height - bottom, width, height: takenPx }
  const arrangement = arrangeStage({ ...scene, covered: { ...covered, bottom } })
  return { arrangement, place: { box, isStrip: true, hasOneRow } }
}

function isSmall({ stimulus, tiles }: Arrangement, rowsPx: number): boolean {
  const highestPx = Math.max(0, ...tiles.map(({ height }) => height))
  return stimulus !== null || highestPx < Math.max(LOW_PX, rowsPx / PICTURE_SHARE_MAX)
}

/** Rows with a name each. Where the page is narrow, the names stand above their words. */
function stripPx(width: number, { sizePx, remPx }: CaptionLetters, rows: number): number {
  const innerPx = width - SIDES_REM * remPx
  const isNarrow = innerPx <= NARROW_REM * remPx
  const rowPx = LEADING * Math.min(sizePx, SIZE_SHARE_MAX * innerPx)
  const namePx = isNarrow ? LEADING * Math.min(NAME_REM * remPx, NAME_SHARE_MAX * innerPx) : 0
  return Math.ceil(rows * (rowPx + namePx) + EDGES_REM * remPx)
}

/** The largest tiles, at whose lower edge captions lie. A video that floats there keeps its place, and captions are beside it. */
function overPictures({ people, ...stage }: Scene, { tiles, floatingId }: Arrangement): Box {
  const floating = tiles[people.findIndex(({ id }) => id === floatingId)]
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

/** Around the largest tiles, as far as no control covers it. */
function areaOf(
  { width, height, covered }: Pick<Scene, 'width' | 'height' | 'covered'>,
  tiles: readonly Box[],
): Box {
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
