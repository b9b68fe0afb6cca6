import * as fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import type { Word } from './engines/word.ts'
import { joinParts } from './join-parts.ts'
import { planParts } from './plan-parts.ts'

/** Numbers spoken one after the other. */
function spokenCounter(durationSec: number, everySec: number) {
  const count = Math.floor(durationSec / everySec) - 1
  return Array.from({ length: count }, (_, index) => {
    const startSec = index * everySec + 0.1
    return { text: ` ${index}`, startSec, endSec: startSec + everySec * 0.7, speaker: null }
  })
}

/** Groups words into lines of varying sizes with slightly wrong times. Each part starts with a different size. */
function linesOf(
  words: readonly Word[],
  { sizes, drifts, part }: { sizes: number[]; drifts: number[]; part: number },
): Word[] {
  const lines: Word[] = []
  for (let from = 0; from < words.length;) {
    const index = lines.length + 3 * part
    const line = words.slice(from, from + (sizes[index % sizes.length] ?? 1))
    from += line.length
    const drift = drifts[index % drifts.length] ?? 0
    const startSec = Math.max(0, (line[0]?.startSec ?? 0) + drift)
    const endSec = (line.at(-1)?.endSec ?? 0) + drift
    lines.push({ text: line.map(({ text }) => text).join(''), startSec, endSec, speaker: null })
  }
  return lines
}

const word = (text: string, startSec: number) => ({
  text,
  startSec,
  endSec: startSec + 0.5,
  speaker: null,
})

const line = (text: string, startSec: number, endSec: number) => ({
  ...word(text, startSec),
  endSec,
})

describe('an audio that is longer than an engine takes', () => {
  test('of exactly the longest length is one part', () => {
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

  test('loses and repeats no word of a spoken counter, wherever it is cut and however times drift', () => {
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

  test('loses and repeats no word of lines, however each part divides them', () => {
    const given = fc.record({
      everySec: fc.double({ min: 0.4, max: 1.2, noNaN: true }),
      maxSec: fc.double({ min: 60, max: 300, noNaN: true }),
      sizes: fc.array(fc.integer({ min: 1, max: 9 }), { minLength: 3, maxLength: 20 }),
      drifts: fc.array(fc.double({ min: -0.3, max: 0.3, noNaN: true }), {
        minLength: 1,
        maxLength: 7,
      }),
    })
    fc.assert(
      fc.property(given, ({ everySec, maxSec, sizes, drifts }) => {
        const spoken = spokenCounter(900, everySec)
        const parts = planParts(900, { maxSec, silences: [] }).map((stretch, part) => {
          const heard = spoken.filter(
            (each) => each.startSec >= stretch.startSec && each.endSec <= stretch.endSec,
          )
          return { ...stretch, words: linesOf(heard, { sizes, drifts, part }) }
        })
        const joined = joinParts(parts).flatMap(({ text }) => text.trim().split(' '))
        expect(joined).toEqual(spoken.map(({ text }) => text.trim()))
      }),
      { numRuns: 100 },
    )
  })

  test('loses and repeats no word of a person who keeps saying the same one', () => {
    const spoken = Array.from({ length: 200 }, (_, index) => word(' yes', index * 0.6))
    const parts = planParts(120, { maxSec: 50, silences: [] }).map((stretch, part) => ({
      ...stretch,
      words: spoken
        .filter(({ startSec, endSec }) => startSec >= stretch.startSec && endSec <= stretch.endSec)
        .map((each) => word(each.text, each.startSec + (part % 2) * 0.2)),
    }))
    expect(joinParts(parts)).toHaveLength(spoken.length)
  })

  test('is joined between characters in a language without spaces', () => {
    const joined = joinParts([
      {
        startSec: 0,
        endSec: 16,
        seamSec: 0,
        words: [
          line('今日はとても良い天気ですね、そうですね。', 8, 14),
          line('散歩にい', 14.2, 16),
        ],
      },
      {
        startSec: 10,
        endSec: 30,
        seamSec: 13,
        words: [line('天気ですね。そうですね。散歩に行きましょう。', 10.2, 18)],
      },
    ])
    expect(joined.map(({ text }) => text).join('')).toBe(
      '今日はとても良い天気ですね、そうですね。散歩に行きましょう。',
    )
  })

  test('is joined at the cut if the parts heard nothing in common', () => {
    const joined = joinParts([
      { startSec: 0, endSec: 16, seamSec: 0, words: [word('a', 1), word('b', 12)] },
      { startSec: 4, endSec: 30, seamSec: 10, words: [word('x', 5), word('c', 12), word('d', 20)] },
    ])
    expect(joined.map(({ text }) => text).join('')).toBe('acd')
  })

  test.each([
    ['only the first part heard', [word('a', 9), word('b', 11)], [word('c', 17)]],
    ['only the second part heard', [word('a', 3)], [word('b', 7), word('c', 12)]],
  ])('keeps what %s, on either side of the cut', (_, first, second) => {
    const joined = joinParts([
      { startSec: 0, endSec: 16, seamSec: 0, words: first },
      { startSec: 4, endSec: 30, seamSec: 10, words: second },
    ])
    expect(joined.map(({ text }) => text).join('')).toBe('abc')
  })
})
