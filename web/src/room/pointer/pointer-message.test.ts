import { expect, test } from 'vitest'
import { decodePointer, encodePointer, movedBy } from './pointer-message.ts'

const HANDOUT = '0198f2b6-6f0e-7cc1-8d36-0c1d2e3f4a5b'
const bytesOf = (message: unknown) => new TextEncoder().encode(JSON.stringify(message))

test.each([
  { handoutId: HANDOUT, place: { x: 0, y: 1 } },
  { handoutId: HANDOUT, place: { x: 0.3333, y: 0.5 } },
  { handoutId: HANDOUT, place: null },
])('a message is read as it was sent: %j', (message) => {
  expect(decodePointer(encodePointer(message))).toEqual(message)
})

test.each([
  ['no JSON', new TextEncoder().encode('{')],
  ['not text', new Uint8Array([0xff, 0xfe, 0x00])],
  ['nothing', new Uint8Array()],
  ['null', bytesOf(null)],
  ['a number', bytesOf(7)],
  ['no handout', bytesOf({ place: { x: 0.5, y: 0.5 } })],
  ['no place', bytesOf({ handout_id: HANDOUT })],
  ['a place outside of the picture', bytesOf({ handout_id: HANDOUT, place: { x: 1.01, y: 0 } })],
  ['a place that is no number', bytesOf({ handout_id: HANDOUT, place: { x: '0', y: 0 } })],
  ['half a place', bytesOf({ handout_id: HANDOUT, place: { x: 0 } })],
  ['too much', bytesOf({ handout_id: HANDOUT, place: null, more: 'x'.repeat(200) })],
])('a message is ignored that is %s', (_, message) => {
  expect(decodePointer(message)).toBeUndefined()
})

test('a step ends at the edge of the picture', () => {
  expect(movedBy({ x: 0.99, y: 0.01 }, 0.02, -0.02)).toEqual({ x: 1, y: 0 })
})
