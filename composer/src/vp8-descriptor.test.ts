import { describe, expect, test } from 'vitest'
import { parseVp8 } from './vp8-descriptor.ts'

const KEY_FRAME = 0x00
const DELTA_FRAME = 0x01

describe('a VP8 payload descriptor', () => {
  test.each([
    ['without extension', [0x10, KEY_FRAME], { isKeyFrame: true, pictureId: undefined }],
    ['of a later fragment', [0x00, KEY_FRAME], { isKeyFrame: false }],
    ['of a delta frame', [0x10, DELTA_FRAME], { isKeyFrame: false }],
    [
      'with a 7-bit picture id',
      [0x90, 0x80, 0x25, KEY_FRAME],
      { isKeyFrame: true, pictureId: { offset: 2, value: 0x25, bits: 7 } },
    ],
    [
      'with a 15-bit picture id and a temporal index',
      [0x90, 0xe0, 0x81, 0x02, 0x07, 0x20, DELTA_FRAME],
      {
        isKeyFrame: false,
        pictureId: { offset: 2, value: 0x102, bits: 15 },
        tl0PicIdx: { offset: 4, value: 7 },
      },
    ],
  ])('%s is read', (_name, bytes, expected) => {
    expect(parseVp8(Buffer.from(bytes))).toMatchObject(expected)
  })

  test.each([[[]], [[0x90]], [[0x90, 0x80]], [[0x90, 0x80, 0x25]]])(
    'that is truncated (%j) is not read',
    (bytes) => {
      expect(parseVp8(Buffer.from(bytes))).toBeUndefined()
    },
  )
})
