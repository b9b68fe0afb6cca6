import * as fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { joinParts } from './join-parts.ts'
import { planParts } from './plan-parts.ts'

/** Numbers, spoken one after the other. */
function spokenCounter(durationSec: number, everySec: number) {
  const count = Math.floor(durationSec / everySec) - 1
  return Array.from({ length: count }, (_, index) => {
    const startSec = index * everySec + 0.1
    return { text: ` ${index}`, startSec, endSec: startSec + everySec * 0.7, speaker: null }
  })
}

const word = (text: string, startSec: number) => ({
  text,
  startSec,
  endSec: startSec + 0.5,
  speaker: null,
})

describe('an audio that is longer than an engine takes', () => {
  test('of the longest that it takes is one part', () => {
    expect(planParts(600, { maxSec: 600, silences: [] })).toEqual([
      { startSec: 0, endSec: 600, seamSec: 0 },
    ])
  })

  test('is cut in the longest silence near the end of each part', () => {
    const silences = [
      { startSec: 70, endSec: 70.5 },
      { startSec: 80, endSec: 82 },
    ]
    expect(planParts(150, { maxSec: 100, silences })).toEqual([
      { startSec: 0, endSec: 87, seamSec: 0 },
      { startSec: 75, endSec: 150, seamSec: 81 },
    ])
  })

  test('loses and doubles no word of a spoken counter, wherever it is cut and however times drift', () => {
    const given = fc.record({
      durationSec: fc.double({ min: 60, max: 5400, noNaN: true }),
      maxSec: fc.double({ min: 30, max: 900, noNaN: true }),
      everySec: fc.double({ min: 0.4, max: 1.5, noNaN: true }),
      drifts: fc.array(fc.double({ min: -0.25, max: 0.25, noNaN: true }), {
        minLength: 1,
        maxLength: 17,
      }),
      silences: fc.array(
        fc.double({ min: 0, max: 5400, noNaN: true }).map((startSec) => ({
          startSec,
          endSec: startSec + 0.5,
        })),
        { maxLength: 40 },
      ),
    })
    fc.assert(
      fc.property(given, ({ durationSec, maxSec, everySec, drifts, silences }) => {
        const spoken = spokenCounter(durationSec, everySec)
        const stretches = planParts(durationSec, { maxSec, silences })
        for (const { startSec, endSec } of stretches) {
          expect(endSec - startSec).toBeLessThanOrEqual(maxSec + 1e-6)
        }
        const parts = stretches.map((stretch, part) => ({
          ...stretch,
          words: spoken
            .filter((each) => each.startSec >= stretch.startSec && each.endSec <= stretch.endSec)
            .map((each, index) => {
              const drift = (drifts[(index + part) % drifts.length] ?? 0) * Math.min(1, everySec)
              const startSec = Math.max(0, each.startSec + drift)
              return { ...each, startSec, endSec: Math.max(startSec, each.endSec + drift) }
            }),
        }))
        expect(joinParts(parts).map(({ text }) => text)).toEqual(spoken.map(({ text }) => text))
      }),
      { numRuns: 100 },
    )
  })

  test('is joined at the cut where the parts heard nothing alike', () => {
    const joined = joinParts([
      { startSec: 0, endSec: 16, seamSec: 0, words: [word('a', 1), word('b', 12)] },
      { startSec: 4, endSec: 30, seamSec: 10, words: [word('x', 5), word('c', 12), word('d', 20)] },
    ])
    expect(joined.map(({ text }) => text).join('')).toBe('acd')
  })
})
