import { expect, test } from 'vitest'
import { captureKeyOf } from './measure-segment.ts'
import { isCapture } from './segment.ts'

test('a captured segment is recognised by its key', () => {
  const storageKey = captureKeyOf('tenant/recording-parts/id.mp4')
  expect(storageKey).toBe('tenant/recording-parts/id.capture')
  expect(isCapture({ storageKey })).toBe(true)
  expect(isCapture({ storageKey: 'tenant/recording-parts/id.mp4' })).toBe(false)
})
