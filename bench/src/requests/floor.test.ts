import { expect, test } from 'vitest'
import { fillOf } from './floor.ts'

const SAMPLES = ['room-1', 'person-1']
const VALUES = ['room-7', 'person-8']

test.each([
  ['room-1', 'room-7'],
  ['person:room-1:{"id":"person-1"}', 'person:room-7:{"id":"person-8"}'],
  [
    ['person-1', 'room-1', 'x'],
    ['person-8', 'room-7', 'x'],
  ],
  ['x', 'x'],
  [null, null],
  [15, 15],
])('the recorded value %j becomes %j', (recorded, replayed) => {
  expect(fillOf(recorded, SAMPLES)(VALUES)).toEqual(replayed)
})
