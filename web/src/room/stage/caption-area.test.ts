import { expect, test } from 'vitest'
import { arrangeStage } from './arrange-stage.ts'
import { areFacesLow, captionArea } from './caption-area.ts'

const covered = { top: 50, bottom: 100 }
const people = [{ identity: 'other' }, { identity: 'own' }]
const scene = {
  featuredId: null,
  stimulusShape: null,
  people: [
    { id: 'other', shape: 4 / 3, isSelf: false },
    { id: 'own', shape: 4 / 3, isSelf: true },
  ],
}

/** The area on a stage, and the box of the video that floats. */
function areaOn(stage: { width: number; height: number }, corner: 'bottom-right' | 'bottom-left') {
  const arrangement = arrangeStage({ ...scene, ...stage, covered, corner, isFilled: true })
  return {
    area: captionArea({ ...stage, covered }, arrangement, people),
    own: arrangement.tiles[1] ?? { left: 0, width: 0 },
  }
}

test.each([
  { width: 320, height: 640 },
  { width: 390, height: 844 },
])('captions lie beside the own video on a phone of $width by $height', (stage) => {
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

test('captions lie over the handout, not over the people beside it', () => {
  const stage = { width: 1200, height: 700 }
  const none = { top: 0, bottom: 0 }
  const arrangement = arrangeStage({ ...scene, ...stage, stimulusShape: 1.5, corner: 'top-left' })
  expect(captionArea({ ...stage, covered: none }, arrangement, people)).toEqual(
    arrangement.stimulus,
  )
})

test('captions lie over the lower part of a picture that is lower than the stage, up to the own one', () => {
  const stage = { width: 830, height: 660, covered: { top: 0, bottom: 0 } }
  const arrangement = arrangeStage({ ...scene, ...stage, corner: 'bottom-right' })
  const [other, own] = arrangement.tiles
  const area = captionArea(stage, arrangement, people)
  expect(area.top + area.height).toBe((other?.top ?? 0) + (other?.height ?? 0))
  expect(area.top + area.height).toBeLessThan(stage.height)
  expect(area).toMatchObject({ left: other?.left, width: (own?.left ?? 0) - (other?.left ?? 0) })
})

test('captions lie over the large one of three, or over the lower row of a grid', () => {
  const three = ['a', 'b', 'c'].map((id) => ({ id, shape: 4 / 3, isSelf: false }))
  const named = three.map(({ id }) => ({ identity: id }))
  const stage = { width: 1200, height: 700, covered: { top: 0, bottom: 0 } }
  const common = { ...scene, ...stage, people: three, corner: 'bottom-right' } as const
  const speaker = arrangeStage({ ...common, featuredId: 'b' })
  expect(captionArea(stage, speaker, named)).toEqual(speaker.tiles[1])
  const grid = arrangeStage(common)
  const { top, height } = captionArea(stage, grid, named)
  expect(top + height).toBe(Math.max(...grid.tiles.map((tile) => tile.top + tile.height)))
  expect(areFacesLow(grid)).toBe(false)
  const low = arrangeStage({ ...common, height: 240 })
  expect(areFacesLow(low)).toBe(true)
})
