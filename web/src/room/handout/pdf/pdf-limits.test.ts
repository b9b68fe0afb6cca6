import { IMAGE_MAX_PIXELS } from '@interview-room/contract/limits.ts'
import { expect, test } from 'vitest'
import { imageSizeOf } from './pdf-limits.ts'

test.each([
  ['a slide', { width: 960, height: 540 }, { width: 2400, height: 1350 }],
  ['A4', { width: 595, height: 842 }, { width: 1696, height: 2400 }],
  ['a poster', { width: 14_400, height: 14_400 }, { width: 2400, height: 2400 }],
  ['a line', { width: 14_400, height: 1 }, { width: 2400, height: 1 }],
])('%s becomes an image that the service accepts', (_, page, image) => {
  expect(imageSizeOf(page)).toEqual(image)
  expect(image.width * image.height).toBeLessThanOrEqual(IMAGE_MAX_PIXELS)
})
