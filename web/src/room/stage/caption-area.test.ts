import { describe, expect, test } from 'vitest'
import { arrangeStage } from './arrange-stage.ts'
import { arrangeCaptioned } from './caption-area.ts'

const covered = { top: 50, bottom: 100 }
const nothingCovered = { top: 0, bottom: 0 }
const letters = { sizePx: 22, remPx: 16 }
const person = (id: string, isSelf = false) => ({ id, shape: 4 / 3, isSelf })
const scene = {
  featuredId: null,
  stimulusShape: null,
  people: [person('other'), person('own', true)],
  corner: 'bottom-right',
} as const
const twelve = Array.from({ length: 12 }, (_, at) => person(`p${at}`, at === 11))

/** The area on a stage, and the box of the video that floats. */
function areaOn(stage: { width: number; height: number }, corner: 'bottom-right' | 'bottom-left') {
  const whole = { ...scene, ...stage, covered, corner, isFilled: true }
  const { arrangement, place } = arrangeCaptioned(whole, letters)
  expect(place).toMatchObject({ isStrip: false, hasOneRow: false })
  return {
    area: place?.box ?? { left: 0, top: 0, width: 0, height: 0 },
    own: arrangement.tiles[1] ?? { left: 0, width: 0 },
  }
}

function placeOn(height: number) {
  return arrangeCaptioned({ ...scene, width: 1000, height, covered, people: twelve }, letters).place
}

describe('captions over the lower part of a large picture', () => {
  test.each([
    { width: 320, height: 640 },
    { width: 390, height: 844 },
  ])('lie beside the own video on a phone of $width by $height', (stage) => {
    const right = areaOn(stage, 'bottom-right')
    expect(right.area).toMatchObject({ left: 0, width: right.own.left })
    const left = areaOn(stage, 'bottom-left')
    const edge = left.own.left + left.own.width
    expect(left.area).toMatchObject({ left: edge, width: stage.width - edge })
    for (const { area } of [left, right]) {
      expect(area.width).toBeGreaterThan(stage.width / 2)
      expect(area.top + area.height).toBe(stage.height - covered.bottom)
    }
  })

  test('that is lower than the stage lie on it, up to the own one', () => {
    const stage = { width: 830, height: 660, covered: nothingCovered }
    const { arrangement, place } = arrangeCaptioned({ ...scene, ...stage }, letters)
    const [other, own] = arrangement.tiles
    const { top = 0, height = 0 } = place?.box ?? {}
    expect(top + height).toBe((other?.top ?? 0) + (other?.height ?? 0))
    expect(top + height).toBeLessThan(stage.height)
    const width = (own?.left ?? 0) - (other?.left ?? 0)
    expect(place?.box).toMatchObject({ left: other?.left, width })
  })

  test('of three lie over the large one, or over the lower row of a grid', () => {
    const people = ['a', 'b', 'c'].map((id) => person(id))
    const common = { ...scene, width: 1200, height: 700, covered: nothingCovered, people }
    const speaker = arrangeCaptioned({ ...common, featuredId: 'b' }, letters)
    expect(speaker.place?.box).toEqual(speaker.arrangement.tiles[1])
    const grid = arrangeCaptioned(common, letters)
    const { top = 0, height = 0 } = grid.place?.box ?? {}
    const lowest = Math.max(...grid.arrangement.tiles.map((tile) => tile.top + tile.height))
    expect(top + height).toBe(lowest)
  })
})

describe('captions in a strip of their own', () => {
  const STAGES = [
    { width: 1180, height: 640 },
    { width: 390, height: 844 },
    { width: 320, height: 640 },
    { width: 640, height: 360 },
  ]

  test.each(STAGES)('cover nothing of twelve people at $width by $height', (stage) => {
    const { arrangement, place } = arrangeCaptioned(
      { ...scene, ...stage, covered, people: twelve },
      letters,
    )
    const { top = 0, height = 0 } = place?.box ?? {}
    expect(place?.isStrip).toBe(true)
    expect(top + height).toBe(stage.height - covered.bottom)
    for (const tile of arrangement.tiles) expect(tile.top + tile.height).toBeLessThanOrEqual(top)
    expect(height).toBeLessThanOrEqual(0.31 * (stage.height - covered.top - covered.bottom))
  })

  test.each(STAGES)('cover nothing of a handout at $width by $height', (stage) => {
    const whole = { ...scene, ...stage, covered, people: twelve, stimulusShape: 1.5 }
    const { arrangement, place } = arrangeCaptioned(whole, letters)
    const { stimulus } = arrangement
    const lowest = (stimulus?.top ?? 0) + (stimulus?.height ?? 0)
    expect(stimulus?.height).toBeGreaterThan(0)
    expect(lowest).toBeLessThanOrEqual(place?.box.top ?? 0)
  })

  test('are below pictures of which large letters would cover more than half', () => {
    const stage = { ...scene, width: 390, height: 844, covered, people: twelve, featuredId: 'p0' }
    expect(arrangeCaptioned(stage, letters).place).toMatchObject({ isStrip: false })
    const large = { sizePx: 33, remPx: 24 }
    expect(arrangeCaptioned(stage, large).place).toMatchObject({ isStrip: true })
  })

  test('have one row on a low stage, and two on others', () => {
    expect(placeOn(360)).toMatchObject({ hasOneRow: true })
    expect(placeOn(800)).toMatchObject({ hasOneRow: false })
  })
})

test('without captions, the stage is for pictures only', () => {
  const whole = { ...scene, width: 1000, height: 600, covered, people: twelve }
  expect(arrangeCaptioned(whole, null)).toEqual({ arrangement: arrangeStage(whole), place: null })
})
