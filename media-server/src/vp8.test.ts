import { describe, expect, test } from 'vitest'
import { parseVp8, shiftVp8 } from './vp8.ts'

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
    'that is cut short (%j) is not read',
    (bytes) => {
      expect(parseVp8(Buffer.from(bytes))).toBeUndefined()
    },
  )

  test('is moved in a copy, each field wrapping at its own width', () => {
    const payload = Buffer.from([0x90, 0xe0, 0xff, 0xff, 0xff, 0x20, DELTA_FRAME])
    const descriptor = parseVp8(payload)
    if (descriptor === undefined) throw new Error('not read')

    const moved = shiftVp8(payload, descriptor, { pictureId: 2, tl0PicIdx: 3 })

    expect(parseVp8(moved)).toMatchObject({ pictureId: { value: 1 }, tl0PicIdx: { value: 2 } })
    expect(payload[4]).toBe(0xff)
  })
})
