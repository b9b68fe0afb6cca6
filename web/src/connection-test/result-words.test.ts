import { expect, test } from 'vitest'
import { inMbps, inPercent, voiceRatingOf } from './result-words.ts'

test.each([
  [4.4, 'clear'],
  [4.03, 'clear'],
  [3.7, 'good'],
  [3.1, 'fair'],
  [2.6, 'poor'],
  [1, 'bad'],
])('a voice of %s points is rated %s', (mos, word) => {
  expect(voiceRatingOf(mos)).toBe(word)
})

test.each([
  [1840, '1.8'],
  [96, '0.10'],
  [150, '0.1'],
  [3000, '3.0'],
])('%d kbit/s are shown as %s Mbit/s', (kbps, said) => {
  expect(inMbps(kbps)).toBe(said)
})

test.each([
  [0, '0'],
  [0.0123, '1.2'],
  [0.104, '10'],
  [1, '100'],
])('a share of %d is shown as %s percent', (ratio, said) => {
  expect(inPercent(ratio)).toBe(said)
})
