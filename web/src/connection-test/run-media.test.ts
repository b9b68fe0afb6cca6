import { expect, test } from 'vitest'
import { ordinaryBitrateBps } from './run-media.ts'

test.each([
  ['640x480', 3000, 600_000],
  ['640x480', 500, 360_000],
  ['1280x720', 1000, 760_000],
  ['320x240', 60, 30_000],
  ['320x240', null, 180_000],
] as const)(
  'a video of %s over a connection that carries %s kbps gets %d bits',
  (size, kbps, bps) => {
    expect(ordinaryBitrateBps(size, kbps)).toBe(bps)
  },
)
