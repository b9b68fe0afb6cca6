import { describe, expect, test } from 'vitest'
import {
  type Box,
  CORNERS,
  arrangeStage,
  overlap,
  platesOf,
  type Arrangement,
  type StageScene,
} from './arrange-stage.ts'

const WIDTHS = Array.from({ length: 81 }, (_, index) => 320 + 20 * index)
/** Heights of the stage: a phone held sideways, a phone with an open panel, common windows. */
const HEIGHTS = [120, 360, 640, 900]
const COUNTS = Array.from({ length: 12 }, (_, index) => index + 1)
/** Aspect ratios of cameras: a laptop, a phone held upright, an older camera. */
const SHAPES = [16 / 9, 9 / 16, 4 / 3]
/** Aspect ratios of handouts: none, a page of a leaflet, a slide, a film. */
const STIMULI = [null, 0.707, 4 / 3, 16 / 9]

function peopleOf(count: number, { hasSelf = true } = {}) {
  return Array.from({ length: count }, (_, index) => ({
    id: `p${index}`,
    shape: SHAPES[index % SHAPES.length] ?? 1,
    isSelf: hasSelf && index === 0,
  }))
}

const BASE = { featuredId: null, stimulusShape: null, corner: 'bottom-right' } as const

/** Scenes with this many people, with every handout and every featured person. */
function scenesOf(count: number): Omit<StageScene, 'width' | 'height'>[] {
  const people = peopleOf(count)
  return [
    ...STIMULI.map((stimulusShape) => ({ ...BASE, people, stimulusShape })),
    { ...BASE, people, featuredId: 'p1' },
    { ...BASE, people: peopleOf(count, { hasSelf: false }) },
    ...CORNERS.map((corner) => ({ ...BASE, people, corner })),
  ]
}

const SCENES = WIDTHS.flatMap((width) =>
  HEIGHTS.flatMap((height) =>
    COUNTS.flatMap((count) => scenesOf(count).map((scene) => ({ ...scene, width, height }))),
  ),
)

const right = ({ left, width }: Box) => left + width
const bottom = ({ top, height }: Box) => top + height
const EPSILON = 0.01

/** The problems of an arrangement, in words. */
function problemsOf(scene: StageScene, layout: Arrangement): string[] {
  const problems: string[] = []
  const { people, width, height } = scene
  if (layout.tiles.length !== people.length) problems.push('somebody is missing')
  const boxes = [...layout.tiles, ...(layout.stimulus === null ? [] : [layout.stimulus])]
  for (const box of boxes) {
    const isInside =
      box.left >= -EPSILON &&
      box.top >= -EPSILON &&
      right(box) <= width + EPSILON &&
      bottom(box) <= height + EPSILON
    if (!isInside) problems.push('something is cut off')
    if (!(Math.min(box.width, box.height) > 0)) problems.push('something has no size')
  }
  people.forEach(({ shape }, index) => {
    const tile = layout.tiles[index]
    if (tile === undefined) return
    if (Math.abs(tile.width / tile.height - shape) > 0.01) problems.push('a video is cut')
  })
  const flying = people.findIndex(({ id }) => id === layout.floatingId)
  boxes.forEach((box, index) => {
    const isCovered = boxes.some(
      (other, at) => at < index && at !== flying && index !== flying && overlap(box, other),
    )
    if (isCovered) problems.push('somebody is covered')
  })
  return problems
}

describe('the layout of the stage', () => {
  test('cuts and covers nothing at any size, with any people and handouts', () => {
    const found = new Map<string, StageScene>()
    for (const scene of SCENES) {
      for (const problem of problemsOf(scene, arrangeStage(scene))) found.set(problem, scene)
    }
    expect(Object.fromEntries(found)).toEqual({})
    expect(SCENES).toHaveLength(81 * 4 * 12 * 10)
  }, 60_000)

  test('draws nobody smaller than a thumbnail if the stage is at least 360 px high', () => {
    const smallest = WIDTHS.flatMap((width) =>
      COUNTS.flatMap((count) =>
        STIMULI.flatMap((stimulusShape) => {
          const people = peopleOf(count).map((one) => ({ ...one, shape: 4 / 3 }))
          const { tiles } = arrangeStage({ ...BASE, width, height: 360, people, stimulusShape })
          return Math.min(...tiles.map((tile) => tile.height))
        }),
      ),
    )
    expect(Math.min(...smallest)).toBeGreaterThan(34)
  })
})

const two = (other: number, own: number) => [
  { id: 'me', shape: own, isSelf: true },
  { id: 'other', shape: other, isSelf: false },
]

/** The plates of the other tile that the own floating video covers. */
function coveredBySelf({ tiles: [own, other], floatingId }: Arrangement): string[] {
  if (own === undefined || other === undefined) throw new Error('somebody is missing')
  if (floatingId === null) return []
  const plates = Object.entries(platesOf(other))
  return plates.filter(([, plate]) => overlap(own, plate)).map(([what]) => what)
}

describe('a conversation of two', () => {
  const stage = { ...BASE, width: 1200, height: 700 }

  test('shows the other person as large as the stage, and oneself at most a fifth of that', () => {
    const { tiles, floatingId } = arrangeStage({ ...stage, people: two(16 / 9, 16 / 9) })
    const [own, other] = tiles
    expect(floatingId).toBe('me')
    expect(other?.width).toBeCloseTo(1200)
    expect((own?.width ?? 0) * (own?.height ?? 0)).toBeLessThan((1200 * 675) / 5)
  })

  test('keeps name, connection and button of the other tile visible, for every corner of the own tile', () => {
    const pairs = SHAPES.flatMap((other) => SHAPES.map((own) => two(other, own)))
    const scenes = [240, 360, 480, 700].flatMap((height) =>
      pairs.flatMap((people) =>
        CORNERS.flatMap((corner) =>
          WIDTHS.map((width) => ({ ...stage, width, height, people, corner })),
        ),
      ),
    )
    const covering = scenes.filter((scene) => coveredBySelf(arrangeStage(scene)).length > 0)
    expect(covering.slice(0, 5)).toEqual([])
  })

  test('is side by side if the own tile would cover too much of the other', () => {
    const { tiles, floatingId } = arrangeStage({
      ...stage,
      width: 320,
      height: 120,
      people: two(4 / 3, 4 / 3),
    })
    expect(floatingId).toBe(null)
    expect(tiles[0]?.width).toBeCloseTo(tiles[1]?.width ?? 0)
  })

  test('of two other people is a grid of two', () => {
    const people = two(4 / 3, 4 / 3).map((one) => ({ ...one, isSelf: false }))
    expect(arrangeStage({ ...stage, people }).floatingId).toBe(null)
  })
})

describe('a handout', () => {
  const people = peopleOf(4).map((one) => ({ ...one, shape: 4 / 3 }))

  test.each([
    { name: 'a slide on a laptop', width: 1200, height: 640, shape: 16 / 9, share: 0.6 },
    { name: 'a leaflet on a laptop', width: 1200, height: 640, shape: 0.707, share: 0.9 },
    { name: 'a slide on a phone', width: 360, height: 560, shape: 16 / 9, share: 0.9 },
    {
      name: 'a slide on a phone held sideways',
      width: 740,
      height: 240,
      shape: 16 / 9,
      share: 0.6,
    },
  ])('$name gets most of the area that it could have', ({ width, height, shape, share }) => {
    const { stimulus } = arrangeStage({ ...BASE, width, height, people, stimulusShape: shape })
    const areaIn = (box: { width: number; height: number }) =>
      Math.min(box.width, box.height * shape) ** 2 / shape
    expect(areaIn(stimulus ?? { width: 0, height: 0 }) / areaIn({ width, height })).toBeGreaterThan(
      share,
    )
  })
})

describe('the line between a handout and the people', () => {
  const people = peopleOf(2)
  const at = { ...BASE, people, stimulusShape: 16 / 9 }

  test.each([
    { name: 'upright on a laptop', width: 1200, height: 500, isUpright: true },
    { name: 'level on a phone', width: 400, height: 800, isUpright: false },
  ])('is $name, and stays so wherever it is moved', ({ width, height, isUpright }) => {
    const first = arrangeStage({ ...at, width, height }).divider
    expect(first?.isUpright).toBe(isUpright)
    for (const peopleShare of [0.15, 0.4, 0.7]) {
      const { stimulus, tiles, divider } = arrangeStage({ ...at, width, height, peopleShare })
      expect(divider?.isUpright).toBe(isUpright)
      expect(divider?.peopleShare).toBeCloseTo(peopleShare)
      const boxes = [stimulus!, divider!.box]
      expect(tiles.some((tile) => boxes.some((box) => overlap(tile, box)))).toBe(false)
    }
  })

  test('is not there without a handout, without people, or on a phone', () => {
    const size = { width: 1200, height: 500 }
    for (const scene of [{ stimulusShape: null }, { people: [] }, { isFilled: true }]) {
      expect(arrangeStage({ ...at, ...size, ...scene }).divider).toBeNull()
    }
  })
})

describe('many people', () => {
  test('fill most of the stage in a grid', () => {
    const shares = COUNTS.filter((count) => count > 2).map((count) => {
      const people = peopleOf(count).map((one) => ({ ...one, shape: 4 / 3 }))
      const { tiles } = arrangeStage({ ...BASE, width: 1200, height: 700, people })
      return tiles.reduce((sum, { width, height }) => sum + width * height, 0) / (1200 * 700)
    })
    expect(Math.min(...shares)).toBeGreaterThan(0.55)
  })

  test('give the featured person more space than all others together', () => {
    const people = peopleOf(6).map((one) => ({ ...one, shape: 4 / 3 }))
    const { tiles } = arrangeStage({ ...BASE, width: 1200, height: 700, people, featuredId: 'p3' })
    const areas = tiles.map(({ width, height }) => width * height)
    const featured = areas[3] ?? 0
    expect(featured).toBeGreaterThan(areas.reduce((sum, area) => sum + area, -featured))
  })
})
