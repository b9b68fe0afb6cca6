/** A rectangle on the stage, in CSS pixels from its upper left corner. */
export interface Box {
  left: number
  top: number
  width: number
  height: number
}

interface Tile {
  id: string
  /** Width / height of the video; `CAMERA_OFF_SHAPE` if there is none. */
  shape: number
  isSelf: boolean
}

/** The corners in which one's own video can float in a conversation of two. */
export const CORNERS = ['bottom-right', 'bottom-left', 'top-left', 'top-right'] as const
export type Corner = (typeof CORNERS)[number]

export interface StageScene {
  width: number
  height: number
  /** Height at the upper and lower edge that the page's controls cover. Only one large picture extends under them. */
  covered?: { top: number; bottom: number }
  /** True on a phone: the other person's picture may lose its sides or its upper and lower edge to fill the stage. */
  isFilled?: boolean
  people: readonly Tile[]
  /** The person on the large tile, or null. */
  featuredId: string | null
  /** Width / height of the handout that everybody sees, or null. */
  stimulusShape: number | null
  /** The share of the stage that the people take beside the handout, or null to let it be as large as it can. */
  peopleShare?: number | null
  corner: Corner
}

export interface Divider {
  box: Box
  /** True if the people are beside the handout, not below it. */
  isUpright: boolean
  peopleShare: number
}

export interface Arrangement {
  /** All of the available area. The handout is centred in it in its own shape. */
  stimulus: Box | null
  /** One tile for each person, in order. */
  tiles: readonly Box[]
  /** The line between the handout and the people, or null. */
  divider: Divider | null
  /** The tile that overlaps another one. */
  floatingId: string | null
  /** The tile whose picture is cropped to fill its box. */
  filledId: string | null
}

export const CAMERA_OFF_SHAPE = 4 / 3
/** Fewer people are arranged in only one way, whatever layout is chosen. */
export const LAYOUTS_FROM = 3
const GAP = 10
/** A tile never gets narrower or wider than this, whatever its video's shape. */
const SHAPE_MIN = 9 / 16
const SHAPE_MAX = 16 / 9
/** The smallest tile beside a large one: as a share of the shorter side, and in pixels. */
const SMALL_TILE_SHARE = 0.16
const SMALL_TILE_MIN = 72
/** The shares of the stage that the small tiles may take beside a large one. */
const STRIP_SHARES = [0.14, 0.18, 0.22, 0.26, 0.3, 0.35, 0.4, 0.5]
/** The own floating video: as a share of the stage's sides, and of the other tile's area. */
const FLOATING_SHARE = 0.26
const FLOATING_COVERS_MAX = 0.2
const FLOATING_MIN = 112
const FLOATING_INSET = 12
/**
 * Height of the plates in three corners of a tile: the name at the bottom, a button and the connection at the top.
 */
const PLATE_HEIGHT = 52
/** The share of a filled picture that stays visible: of its width in a narrow box, of its height in a low one. */
const FILLED_WIDTH_SHARE = 0.45
const FILLED_HEIGHT_SHARE = 0.75
/** The same sizes as `.floating` in tile-button.module.css. */
const BUTTON_FROM = { width: 288, height: 256 }

/**
 * Arranges the tiles. With two people the other one is large and the own video floats. With more people the tiles
 * form an equal grid, or one is large beside the others. A handout takes precedence over all of them. Nothing is cut
 * off, except on a phone, and only one's own video overlaps another tile.
 */
export function arrangeStage(scene: StageScene): Arrangement {
  const { people, featuredId, stimulusShape, covered = { top: 0, bottom: 0 } } = scene
  const { isFilled = false, peopleShare = null } = scene
  const stage = {
    left: 0,
    top: covered.top,
    width: scene.width,
    height: Math.max(0, scene.height - covered.top - covered.bottom),
  }
  const featured = people.find(({ id }) => id === featuredId)
  const nothing = { stimulus: null, divider: null, floatingId: null, filledId: null }
  if (stimulusShape !== null) {
    const best = splitFor(stage, stimulusShape, people)
    const isDivided = people.length > 0 && !isFilled
    const chosen = isDivided && peopleShare !== null ? { people, peopleShare } : null
    const { main, beside } = chosen === null ? best : dividedAt(stage, best, chosen)
    const divider = isDivided ? dividerOf(main, beside) : null
    return { ...nothing, stimulus: main, divider, tiles: withFeatured(beside, people, featured) }
  }
  const conversation = arrangeConversation(scene, stage)
  if (conversation !== undefined) return conversation
  return { ...nothing, tiles: withFeatured(stage, people, featured) }
}

/** Keeps the people on the side on which they are, and gives them this share. */
function dividedAt(
  stage: Box,
  { main, beside }: Split,
  { people, peopleShare: share }: { people: readonly Tile[]; peopleShare: number },
): Split {
  const order = { share, shape: CAMERA_OFF_SHAPE, others: people }
  return main.top === beside.top ? splitBeside(stage, order) : splitBelow(stage, order)
}

function dividerOf(main: Box, beside: Box): Divider {
  const isUpright = main.top === beside.top
  const box = isUpright
    ? { ...main, left: main.left + main.width, width: GAP }
    : { ...main, top: main.top + main.height, height: GAP }
  const peopleShare = isUpright
    ? beside.width / (main.width + beside.width)
    : beside.height / (main.height + beside.height)
  return { box, isUpright, peopleShare }
}

/** An equal grid, or one large tile beside the others. */
function withFeatured(area: Box, people: readonly Tile[], featured: Tile | undefined): Box[] {
  if (featured === undefined) return gridIn(area, people)
  const others = people.filter((one) => one !== featured)
  const { large, strip } = splitFor(area, featured.shape, others)
  return people.map((one) => (one === featured ? large : (strip[others.indexOf(one)] ?? large)))
}

/**
 * Undefined unless there are two people and enough space for one to overlap the other. The small one is oneself; for
 * somebody who only watches, the one who is not featured.
 */
function arrangeConversation(
  { width, height, people, corner, featuredId, isFilled = false }: StageScene,
  stage: Box,
): Arrangement | undefined {
  const self = people.find(({ isSelf }) => isSelf)
  const isFeatured = people.some(({ id }) => id === featuredId)
  const small = self ?? (isFeatured ? people.find(({ id }) => id !== featuredId) : undefined)
  const other = people.find((one) => one !== small)
  if (people.length !== 2 || small === undefined || other === undefined) return undefined
  const large = isFilled
    ? filled(other.shape, { left: 0, top: 0, width, height })
    : fit(other.shape, stage)
  const floating = floatingOn(stage, small.shape, { corner, other: large })
  if (areaOf(floating) > areaOf(large) * FLOATING_COVERS_MAX) return undefined
  return {
    stimulus: null,
    divider: null,
    tiles: people.map((one) => (one === small ? floating : large)),
    floatingId: small.id,
    filledId: isFilled ? other.id : null,
  }
}

/** The largest centred box for a picture that may lose some of its width or height. */
function filled(shape: number, area: Box): Box {
  const [narrowest, widest] = [shape * FILLED_WIDTH_SHARE, shape / FILLED_HEIGHT_SHARE]
  return boxOf(Math.min(widest, Math.max(narrowest, area.width / area.height)), area)
}

/**
 * The floating tile in its corner of the stage. If it would cover the other's name, connection or button, it moves
 * aside.
 */
function floatingOn(
  stage: Box,
  shape: number,
  { corner, other }: { corner: Corner; other: Box },
): Box {
  const { width, height } = fit(shape, {
    ...stage,
    width: Math.max(FLOATING_MIN, stage.width * FLOATING_SHARE),
    height: Math.max(FLOATING_MIN, stage.height * FLOATING_SHARE),
  })
  const [vertical, horizontal] = corner.split('-')
  const box = {
    left: horizontal === 'left' ? FLOATING_INSET : stage.width - width - FLOATING_INSET,
    top: stage.top + (vertical === 'top' ? FLOATING_INSET : stage.height - height - FLOATING_INSET),
    width,
    height,
  }
  const { name, ...above } = platesOf(other)
  if (overlap(box, name)) return { ...box, top: name.top - height }
  const hidden = Object.values(above).find((plate) => overlap(box, plate))
  return hidden === undefined ? box : { ...box, top: hidden.top + hidden.height }
}

interface Plates {
  name: Box
  connection: Box
  button?: Box
}

/** The places of a tile's name, connection and button. A small tile has no button. */
export function platesOf({ left, top, width, height }: Box): Plates {
  const half = { width: width / 2, height: PLATE_HEIGHT }
  return {
    name: { left, top: top + height - PLATE_HEIGHT, ...half },
    connection: { left: left + width / 2, top, ...half },
    ...(width >= BUTTON_FROM.width &&
      height >= BUTTON_FROM.height && { button: { left, top, ...half } }),
  }
}

const EPSILON = 0.01

/** True if two boxes overlap by more than an edge. */
export function overlap(a: Box, b: Box): boolean {
  return (
    a.left + EPSILON < b.left + b.width &&
    b.left + EPSILON < a.left + a.width &&
    a.top + EPSILON < b.top + b.height &&
    b.top + EPSILON < a.top + a.height
  )
}

interface Split {
  /** The area that is left beside the strip. */
  main: Box
  /** The large box in its own shape, centred in `main`. */
  large: Box
  /** The area beside or below `main`, and the tiles in it. */
  beside: Box
  strip: Box[]
}

/** A large box with the others beside or below it, whichever makes it larger. */
function splitFor(stage: Box, shape: number, others: readonly Tile[]): Split {
  const whole = { main: stage, large: fit(shape, stage), beside: stage, strip: [] }
  if (others.length === 0) return whole
  const wanted = Math.max(SMALL_TILE_MIN, Math.min(stage.width, stage.height) * SMALL_TILE_SHARE)
  const splits = STRIP_SHARES.flatMap((share) => [
    splitBeside(stage, { share, shape, others }),
    splitBelow(stage, { share, shape, others }),
  ])
  const rated = splits.map((split) => ({
    split,
    // Tiles that are large enough do not grow at the expense of the large box.
    smallest: Math.min(wanted, ...split.strip.map((each) => Math.min(each.width, each.height))),
    area: areaOf(split.large),
  }))
  const [best] = rated.toSorted((a, b) => b.smallest - a.smallest || b.area - a.area)
  return best?.split ?? whole
}

interface SplitOrder {
  share: number
  shape: number
  others: readonly Tile[]
}

function splitBeside(stage: Box, { share, shape, others }: SplitOrder): Split {
  const stripWidth = (stage.width - GAP) * share
  const width = stage.width - GAP - stripWidth
  const main = { ...stage, width }
  const beside = { ...stage, left: stage.left + width + GAP, width: stripWidth }
  return { main, large: fit(shape, main), beside, strip: gridIn(beside, others) }
}

function splitBelow(stage: Box, { share, shape, others }: SplitOrder): Split {
  const stripHeight = (stage.height - GAP) * share
  const height = stage.height - GAP - stripHeight
  const main = { ...stage, height }
  const beside = { ...stage, top: stage.top + height + GAP, height: stripHeight }
  return { main, large: fit(shape, main), beside, strip: gridIn(beside, others) }
}

/** An equal grid, with the number of columns that makes its smallest tile largest. */
function gridIn(area: Box, people: readonly Tile[]): Box[] {
  const shapes = people.map(({ shape }) => shape)
  // The widest or the narrowest shape has the smallest box in a cell, so the others need no check.
  const extremes = [Math.min(...shapes), Math.max(...shapes)]
  let best = { columns: 1, smallest: -1 }
  for (let columns = 1; columns <= people.length; columns += 1) {
    const cell = cellOf(area, people.length, columns)
    const smallest = Math.min(...extremes.map((shape) => areaOf(fit(shape, cell))))
    if (smallest > best.smallest) best = { columns, smallest }
  }
  return gridOf(area, people, best.columns)
}

/** The first cell of a grid. */
function cellOf(area: Box, count: number, columns: number): Box {
  const rows = Math.ceil(count / columns)
  return {
    ...area,
    width: (area.width - GAP * (columns - 1)) / columns,
    height: (area.height - GAP * (rows - 1)) / rows,
  }
}

/** Tiles close together in the middle of their area. */
function gridOf(area: Box, people: readonly Tile[], columns: number): Box[] {
  const cell = cellOf(area, people.length, columns)
  const fitted = people.map(({ shape }) => fit(shape, cell))
  const width = Math.max(...fitted.map((box) => box.width))
  const height = Math.max(...fitted.map((box) => box.height))
  const rows = Math.ceil(people.length / columns)
  const left = area.left + (area.width - widthOf(columns, width)) / 2
  const top = area.top + (area.height - widthOf(rows, height)) / 2
  return people.map(({ shape }, index) => {
    const row = Math.floor(index / columns)
    const inRow = Math.min(columns, people.length - row * columns)
    // A row that is not full is centred.
    const indent = ((columns - inRow) * (width + GAP)) / 2
    return fit(shape, {
      left: left + indent + (index % columns) * (width + GAP),
      top: top + row * (height + GAP),
      width,
      height,
    })
  })
}

/** Width of a row of `count` tiles with the gaps between them. */
function widthOf(count: number, each: number): number {
  return count * each + (count - 1) * GAP
}

/** The largest centred box of a video within another one. */
function fit(shape: number, area: Box): Box {
  return boxOf(Math.min(SHAPE_MAX, Math.max(SHAPE_MIN, shape)), area)
}

function boxOf(shape: number, { left, top, width, height }: Box): Box {
  const fittedWidth = Math.max(0, Math.min(width, height * shape))
  const fittedHeight = fittedWidth / shape
  return {
    left: left + (width - fittedWidth) / 2,
    top: top + (height - fittedHeight) / 2,
    width: fittedWidth,
    height: fittedHeight,
  }
}

function areaOf({ width, height }: Box): number {
  return width * height
}
