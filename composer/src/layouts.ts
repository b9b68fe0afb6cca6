export interface Box {
  x: number
  y: number
  width: number
  height: number
}

export interface Size {
  width: number
  height: number
}

export type LayoutName = 'grid' | 'speaker' | 'single-speaker' | 'fill'

const GAP = 4
const STRIP_SHARE = 0.22
const TILES_MAX = 36
const TILE_ASPECT = 4 / 3

/** The layout that a request names; `-light` and `-dark` are the same, and an unknown name gives the grid. */
export function layoutNamed(name: string): LayoutName {
  const plain = name.replace(/-(light|dark)$/, '')
  return plain === 'speaker' || plain === 'single-speaker' ? plain : 'grid'
}

/** Boxes for this many tiles, in order. In a speaker layout, the first one has the focus. */
export function boxesOf(layout: LayoutName, count: number, canvas: Size): Box[] {
  if (count === 0) return []
  const whole = { x: 0, y: 0, ...canvas }
  if (layout === 'fill' || layout === 'single-speaker' || count === 1) return [whole]
  return layout === 'speaker' ? speakerBoxes(count, canvas) : gridBoxes(count, whole)
}

/**
 * Boxes for the exhibits or screens, of these aspect ratios, and for the tiles of people beside them: in a column or a row,
 * whichever leaves more room for the exhibits.
 */
export function stageBoxes(aspects: readonly number[], count: number, canvas: Size): Box[] {
  const whole = { x: 0, y: 0, ...canvas }
  if (count === 0) return gridBoxes(aspects.length, whole)
  const [column, row] = [inColumn(canvas), inRow(canvas)]
  const isRow = shownArea(aspects, row.stage) > shownArea(aspects, column.stage) * 1.01
  const { stage, strip } = isRow ? row : column
  return [...gridBoxes(aspects.length, stage), ...gridBoxes(count, strip, { isCompact: true })]
}

function inColumn({ width, height }: Size): { stage: Box; strip: Box } {
  const stripWidth = even(width * STRIP_SHARE)
  return {
    stage: { x: 0, y: 0, width: width - stripWidth - GAP, height },
    strip: { x: width - stripWidth, y: 0, width: stripWidth, height },
  }
}

function inRow({ width, height }: Size): { stage: Box; strip: Box } {
  const stripHeight = even(height * STRIP_SHARE)
  return {
    stage: { x: 0, y: 0, width, height: height - stripHeight - GAP },
    strip: { x: 0, y: height - stripHeight, width, height: stripHeight },
  }
}

function shownArea(aspects: readonly number[], stage: Box): number {
  const boxes = gridBoxes(aspects.length, stage)
  return aspects.reduce((sum, aspect, i) => {
    const { width, height } = fit({ width: aspect * 1000, height: 1000 }, boxes[i] ?? stage)
    return sum + width * height
  }, 0)
}

/** `isCompact`: every tile has nearly the shape of a camera's picture, landscape or portrait. */
function gridBoxes(count: number, area: Box, { isCompact } = { isCompact: false }): Box[] {
  const shown = Math.min(count, TILES_MAX)
  const columns = bestColumns(shown, area)
  const rows = Math.ceil(shown / columns)
  const cell = {
    width: even((area.width - GAP * (columns - 1)) / columns),
    height: even((area.height - GAP * (rows - 1)) / rows),
  }
  const { width, height } = isCompact ? compact(cell) : cell
  return Array.from({ length: shown }, (_, i) => {
    const row = Math.floor(i / columns)
    const inRow = Math.min(columns, shown - row * columns)
    const left = even((area.width - inRow * width - (inRow - 1) * GAP) / 2)
    const top = even((area.height - rows * height - (rows - 1) * GAP) / 2)
    return {
      x: area.x + left + (i % columns) * (width + GAP),
      y: area.y + top + row * (height + GAP),
      width,
      height,
    }
  })
}

function compact({ width, height }: Size): Size {
  return { width: Math.min(width, even(height * TILE_ASPECT)), height: Math.min(height, width) }
}

/** The number of columns that shows the pictures largest. */
function bestColumns(count: number, { width, height }: Size): number {
  let best = { columns: 1, area: 0 }
  for (let columns = 1; columns <= count; columns++) {
    const rows = Math.ceil(count / columns)
    const fitted = fit(
      { width: TILE_ASPECT * 1000, height: 1000 },
      { width: width / columns, height: height / rows },
    )
    const area = fitted.width * fitted.height
    // If two arrangements are equally good, prefer the one side by side.
    if (area > best.area * 0.99) best = { columns, area }
  }
  return best.columns
}

function speakerBoxes(count: number, canvas: Size): Box[] {
  const stripHeight = even(canvas.height * STRIP_SHARE)
  const focus = { x: 0, y: 0, width: canvas.width, height: canvas.height - stripHeight - GAP }
  const others = Math.min(count - 1, TILES_MAX)
  const widest = even(stripHeight * TILE_ASPECT)
  const width = Math.min(widest, even((canvas.width - GAP * (others - 1)) / others))
  const left = even((canvas.width - others * width - (others - 1) * GAP) / 2)
  const strip = Array.from({ length: others }, (_, i) => ({
    x: left + i * (width + GAP),
    y: canvas.height - stripHeight,
    width,
    height: stripHeight,
  }))
  return [focus, ...strip]
}

/** The largest size of the picture's shape that fits, in even numbers. */
export function fit(video: Size, box: Size): Size {
  const scale = Math.min(box.width / video.width, box.height / video.height)
  return {
    width: Math.max(2, even(video.width * scale + 0.5)),
    height: Math.max(2, even(video.height * scale + 0.5)),
  }
}

// Colour has half the resolution, so all positions and sizes are even numbers.
function even(value: number): number {
  return Math.floor(value / 2) * 2
}
