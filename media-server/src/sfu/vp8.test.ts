import { parseVp8 } from '@interview-room/composer/vp8-descriptor.ts'
import { expect, test } from 'vitest'
import { shiftVp8 } from './vp8.ts'

const DELTA_FRAME = 0x01

test('a VP8 payload descriptor is moved in a copy, each field wrapping at its own width', () => {
  const payload = Buffer.from([0x90, 0xe0, 0xff, 0xff, 0xff, 0x20, DELTA_FRAME])
  const descriptor = parseVp8(payload)
  if (descriptor === undefined) throw new Error('not read')

  const moved = shiftVp8(payload, descriptor, { pictureId: 2, tl0PicIdx: 3 })

  expect(parseVp8(moved)).toMatchObject({ pictureId: { value: 1 }, tl0PicIdx: { value: 2 } })
  expect(payload[4]).toBe(0xff)
})
