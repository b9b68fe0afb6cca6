import { describe, expect, test } from 'vitest'
import { limited } from './mix-audio.ts'
import { samplesOfOpus } from './opus.ts'
import { placeAudio } from './place-audio.ts'
import type { AudioUnit } from './track-media.ts'

function unit(timeMs: number): AudioUnit {
  return { timeMs, atMs: timeMs, offset: 0, size: 1, samples: 960, level: 127 }
}

describe('an Opus packet', () => {
  test.each([
    ['20 ms of CELT', [0xf8], 960],
    ['20 ms of SILK', [0x08], 960],
    ['60 ms of SILK', [0x18], 2880],
    ['two frames of 10 ms', [0x61], 960],
    ['three frames of 20 ms', [0xfb, 0x03], 2880],
    ['nothing', [], 0],
    ['an impossible length', [0xfb, 0x3f], 0],
  ])('of %s', (_name, bytes, samples) => {
    expect(samplesOfOpus(Buffer.from(bytes))).toBe(samples)
  })
})

describe('placed audio', () => {
  test('is silent when packets were left out or lost', () => {
    const placed = [...placeAudio([unit(0), unit(20), unit(420), unit(440)], 0)]
    expect(placed.map(({ start }) => start)).toEqual([0, 960, 420 * 48, 440 * 48])
  })

  test('never overlaps itself', () => {
    const placed = [...placeAudio([unit(100), unit(120), unit(20), unit(140)], 0)]
    expect(placed.map(({ start }) => start / 48)).toEqual([100, 120, 140])
  })

  test('from before the recording is placed before its start', () => {
    expect([...placeAudio([unit(990)], 1000)]).toMatchObject([{ start: -480, length: 960 }])
  })
})

test('loud sums are compressed, not clipped, and the rest is unchanged', () => {
  expect(limited(0.5)).toBe(0.5)
  expect(limited(-0.8)).toBe(-0.8)
  expect(limited(1.5)).toBeGreaterThan(limited(1.2))
  expect(limited(4)).toBeLessThanOrEqual(1)
  expect(limited(-4)).toBeGreaterThanOrEqual(-1)
})
