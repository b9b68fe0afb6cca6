import { expect, test } from 'vitest'
import { silenceAt, silencesOf } from './silences.ts'

const voice = (startSec: number, endSec: number) => ({ startSec, endSec })
const SILENCES = silencesOf([voice(8, 12), voice(3, 5), voice(4, 6), voice(13, 14)], 30)

test('a silence is longer than two seconds, and ends a little before the next voice', () => {
  expect(SILENCES).toEqual([
    { startSec: 0, endSec: 2.6 },
    { startSec: 14, endSec: 29.6 },
  ])
})

test.each([
  [1, SILENCES[0]],
  [2.5, undefined],
  [6.5, undefined],
  [14.2, undefined],
  [15, SILENCES[1]],
])('at %d s there is %o to skip', (sec, silence) => {
  expect(silenceAt(SILENCES, sec)).toEqual(silence)
})
