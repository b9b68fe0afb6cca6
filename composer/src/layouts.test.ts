import { describe, expect, test } from 'vitest'
import { type Box, boxesOf, fit, layoutNamed, stageBoxes } from './layouts.ts'

const CANVASES = [
  { width: 640, height: 480 },
  { width: 1280, height: 720 },
  { width: 720, height: 1280 },
]

function overlap(a: Box, b: Box): boolean {
  return a.x < b.x + b.width && b.x < a.x + a.width && a.y < b.y + b.height && b.y < a.y + a.height
}

describe.each(['grid', 'speaker'] as const)('the layout %s', (layout) => {
  test.each([1, 2, 3, 4, 5, 6, 7, 8, 9, 12, 16, 25])('of %i tiles', (count) => {
    for (const canvas of CANVASES) {
      const boxes = boxesOf(layout, count, canvas)
      expect(boxes).toHaveLength(count)
      for (const [i, box] of boxes.entries()) {
        const { x, y, width, height } = box
        expect([x % 2, y % 2, width % 2, height % 2]).toEqual([0, 0, 0, 0])
        expect(Math.min(x, y)).toBeGreaterThanOrEqual(0)
        expect(x + width).toBeLessThanOrEqual(canvas.width)
        expect(y + height).toBeLessThanOrEqual(canvas.height)
        expect(Math.min(width, height)).toBeGreaterThan(canvas.width / 40)
        expect(boxes.slice(i + 1).some((other) => overlap(box, other))).toBe(false)
      }
    }
  })
})

function tiles(count: number): Box[] {
  return boxesOf('grid', count, { width: 640, height: 480 })
}

describe('the grid', () => {
  test('gives one person the full canvas, two the halves, four the quarters', () => {
    expect(tiles(1)).toEqual([{ x: 0, y: 0, width: 640, height: 480 }])
    expect(tiles(2).map(({ y, width, height }) => [y, width, height])).toEqual([
      [0, 318, 480],
      [0, 318, 480],
    ])
    expect(tiles(4).map(({ width, height }) => [width, height])).toEqual(
      Array.from({ length: 4 }, () => [318, 238]),
    )
  })

  test('centres a last row that is not full', () => {
    const [, , third] = tiles(3)
    expect((third?.x ?? 0) + (third?.width ?? 0) / 2).toBeCloseTo(320, -1)
  })

  test('is empty without people, and shows 36 at most', () => {
    expect(tiles(0)).toEqual([])
    expect(tiles(50)).toHaveLength(36)
  })
})

test('the speaker has the largest tile, above the others', () => {
  const [focus, ...others] = boxesOf('speaker', 5, { width: 1280, height: 720 })
  if (focus === undefined) throw new Error('no focus')
  for (const other of others) {
    expect(other.width * other.height).toBeLessThan((focus.width * focus.height) / 4)
    expect(other.y).toBeGreaterThanOrEqual(focus.height)
  }
})

test.each([
  ['grid', 'grid'],
  ['grid-light', 'grid'],
  ['speaker-dark', 'speaker'],
  ['single-speaker', 'single-speaker'],
  ['', 'grid'],
  ['something', 'grid'],
])('the name %j means %s', (name, layout) => {
  expect(layoutNamed(name)).toBe(layout)
})

test('a video keeps its aspect ratio in its box', () => {
  expect(fit({ width: 640, height: 480 }, { width: 318, height: 480 })).toEqual({
    width: 318,
    height: 238,
  })
  expect(fit({ width: 100, height: 400 }, { width: 200, height: 200 })).toEqual({
    width: 50,
    height: 200,
  })
  expect(fit({ width: 1, height: 1000 }, { width: 10, height: 10 })).toEqual({
    width: 2,
    height: 10,
  })
})

describe('the stage', () => {
  const WIDE = 16 / 9
  const PAGE = 3 / 4

  test.each([1, 2, 3, 6, 12])('with %i people beside it overlaps nothing', (count) => {
    for (const canvas of CANVASES) {
      for (const aspects of [[WIDE], [PAGE], [WIDE, PAGE]]) {
        const boxes = stageBoxes(aspects, count, canvas)
        expect(boxes).toHaveLength(aspects.length + count)
        for (const [i, { x, y, width, height }] of boxes.entries()) {
          expect([x % 2, y % 2, width % 2, height % 2]).toEqual([0, 0, 0, 0])
          expect(x + width).toBeLessThanOrEqual(canvas.width)
          expect(y + height).toBeLessThanOrEqual(canvas.height)
          const [box] = boxes.slice(i)
          expect(boxes.slice(i + 1).some((other) => overlap(box as Box, other))).toBe(false)
        }
      }
    }
  })

  test('without people is the full canvas', () => {
    const canvas = { width: 1280, height: 720 }
    expect(stageBoxes([PAGE], 0, canvas)).toEqual([{ x: 0, y: 0, ...canvas }])
  })

  test.each([
    { aspect: PAGE, canvas: { width: 1280, height: 720 }, where: 'column' },
    { aspect: WIDE, canvas: { width: 1280, height: 720 }, where: 'column' },
    { aspect: WIDE, canvas: { width: 640, height: 480 }, where: 'row' },
    { aspect: PAGE, canvas: { width: 640, height: 480 }, where: 'column' },
  ])(
    'puts the people where the exhibit is largest: $aspect, $where',
    ({ aspect, canvas, where }) => {
      const [stage, tile] = stageBoxes([aspect], 2, canvas)
      expect((tile?.x ?? 0) >= (stage?.width ?? 0) ? 'column' : 'row').toBe(where)
      const { width, height } = fit({ width: aspect * 1000, height: 1000 }, stage as Box)
      expect((width * height) / (canvas.width * canvas.height)).toBeGreaterThan(0.4)
    },
  )
})
