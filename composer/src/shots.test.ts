import { describe, expect, test } from 'vitest'
import { planShots } from './shots.ts'
import type { VideoUnit } from './track-media.ts'

function unit(timeMs: number, isKeyFrame: boolean, width = 320): VideoUnit {
  return { timeMs, atMs: timeMs + 50, isKeyFrame, width, height: 240, offset: 0, size: 1 }
}

// Ten frames a second; key frames at 0, 1000, 2000 and a larger picture from 2500 on.
const UNITS = Array.from({ length: 40 }, (_, i) =>
  unit(i * 100, i % 10 === 0 || i === 25, i >= 25 ? 640 : 320),
)
const frameOf = (ms: number) => Math.round(ms / 100)

describe('the decoded stretch', () => {
  test('begins at the key frame before the shown stretch', () => {
    const [shot] = planShots(UNITS, { frameOf, sinceMs: 0, fromFrame: 15, toFrame: 18 })
    expect(shot?.fromFrame).toBe(15)
    expect([...(shot?.units ?? [])].map(({ frame }) => frame)).toEqual([
      10, 11, 12, 13, 14, 15, 16, 17,
    ])
  })

  test('is split when the video changes its size', () => {
    const shots = planShots(UNITS, { frameOf, sinceMs: 0, fromFrame: 20, toFrame: 30 })
    expect(shots.map(({ width, fromFrame, units }) => [width, fromFrame, units.length])).toEqual([
      [320, 20, 5],
      [640, 25, 5],
    ])
  })

  test('leaves out frames that arrived before the video was shown again', () => {
    const shots = planShots(UNITS, { frameOf, sinceMs: 1020, fromFrame: 10, toFrame: 15 })
    expect(shots[0]?.units.at(0)?.frame).toBe(10)
    expect(planShots(UNITS, { frameOf, sinceMs: 9999, fromFrame: 10, toFrame: 15 })).toEqual([])
  })

  test('of a video that begins later is shown from there', () => {
    const shots = planShots(UNITS.slice(20), { frameOf, sinceMs: 0, fromFrame: 5, toFrame: 25 })
    expect(shots).toMatchObject([{ fromFrame: 20, width: 320 }])
  })
})
