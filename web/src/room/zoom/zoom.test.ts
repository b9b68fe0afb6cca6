import { expect, test } from 'vitest'
import { scrollAfterZoom, zoomedBy, ZOOMS } from './zoom.ts'

test('steps go up and down, and stop at both ends', () => {
  expect(zoomedBy(1, 1)).toBe(1.5)
  expect(zoomedBy(3, 1)).toBe(4)
  expect(zoomedBy(4, 1)).toBe(4)
  expect(zoomedBy(1, -1)).toBe(1)
})

test.each(ZOOMS)('the centre stays in the middle while zooming in to %s', (to) => {
  const scroll = scrollAfterZoom({ size: 400, scroll: 0 }, 1, to)
  expect(scroll + 200).toBe(200 * to)
})

test('the centre stays in the middle while zooming out', () => {
  const near = scrollAfterZoom({ size: 400, scroll: 0 }, 1, 2)
  expect(scrollAfterZoom({ size: 400, scroll: near }, 2, 1)).toBe(0)
})
