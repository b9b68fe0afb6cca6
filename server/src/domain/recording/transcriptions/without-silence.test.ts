import { array, assert, double, integer, property, tuple } from 'fast-check'
import { describe, expect, test } from 'vitest'
import { lengthOf, rangesOf, restored, silencesIn, soundingsOf, within } from './without-silence.ts'

const silence = (startSec: number, endSec: number) => ({ startSec, endSec })
const word = (startSec: number, endSec: number) => ({ text: 'word', startSec, endSec })

describe('the sound that is sent', () => {
  test('is the whole file without silences', () => {
    expect(soundingsOf(60, [])).toEqual([{ fromSec: 0, toSec: 60, atSec: 0 }])
  })

  test('has short silences', () => {
    expect(soundingsOf(60, [silence(10, 11.9)])).toEqual([{ fromSec: 0, toSec: 60, atSec: 0 }])
  })

  test('has half a second of a long silence on both sides', () => {
    expect(soundingsOf(60, [silence(10, 20)])).toEqual([
      { fromSec: 0, toSec: 10.5, atSec: 0 },
      { fromSec: 19.5, toSec: 60, atSec: 10.5 },
    ])
  })

  test('begins and ends with somebody speaking', () => {
    expect(soundingsOf(60, [silence(0, 20), silence(40, 59.95)])).toEqual([
      { fromSec: 19.5, toSec: 40.5, atSec: 0 },
    ])
  })

  test('is nothing of a silent file', () => {
    const soundings = soundingsOf(60, [silence(0, 60)])
    expect([soundings, lengthOf(soundings)]).toEqual([[], 0])
  })

  test('keeps the silences that are left, to be divided there', () => {
    const silences = [silence(0, 5), silence(8, 9), silence(10, 20)]
    const soundings = soundingsOf(30, silences)
    expect(lengthOf(soundings)).toBe(6 + 10.5)
    expect(silencesIn(soundings, silences)).toEqual([
      silence(0, 0.5),
      silence(3.5, 4.5),
      silence(5.5, 6.5),
    ])
  })
})

describe('a range of it', () => {
  const soundings = soundingsOf(60, [silence(10, 20), silence(30, 40)])

  test('is made of ranges of the file', () => {
    expect(rangesOf(soundings, { startSec: 5, endSec: 12 })).toEqual([
      { fromSec: 5, toSec: 10.5 },
      { fromSec: 19.5, toSec: 21 },
    ])
    expect(rangesOf(soundings, { startSec: 0, endSec: lengthOf(soundings) })).toEqual([
      { fromSec: 0, toSec: 10.5 },
      { fromSec: 19.5, toSec: 30.5 },
      { fromSec: 39.5, toSec: 60 },
    ])
  })

  test('knows the stretches that it needs', () => {
    expect(within(soundings, { startSec: 0, endSec: 10.5 })).toEqual(soundings.slice(0, 1))
    expect(within(soundings, { startSec: 10, endSec: 11 })).toEqual(soundings.slice(0, 2))
  })
})

describe('a word', () => {
  const soundings = soundingsOf(60, [silence(10, 20), silence(30, 40)])

  test.each([
    ['before a cut', word(9, 9.8), [9, 9.8]],
    ['after a cut', word(11.5, 12), [20.5, 21]],
    ['after two cuts', word(22, 23), [40, 41]],
    ['that reaches over a cut, most of it before', word(10, 10.8), [10, 10.5]],
    ['that reaches over a cut, most of it after', word(10.3, 11.2), [19.5, 20.2]],
    ['without length at a cut', word(10.5, 10.5), [10.5, 10.5]],
    ['after the end', word(50, 51), [60, 60]],
  ])('%s returns to its place', (_, heard, [startSec, endSec]) => {
    const { startSec: from, endSec: to, text } = restored(heard, soundings)
    expect(
      [text, from, to].map((each) => (typeof each === 'number' ? each.toFixed(3) : each)),
    ).toEqual(['word', startSec?.toFixed(3), endSec?.toFixed(3)])
  })

  test('of a part that was sent whole stays where it is', () => {
    expect(restored(word(1, 2), [])).toEqual(word(1, 2))
  })
})

/** Silences of a file in order, without overlaps. */
const files = array(tuple(integer({ min: 100, max: 20_000 }), integer({ min: 400, max: 30_000 })), {
  maxLength: 30,
}).map((turns) => {
  let ms = 0
  const silences = turns.map(([speechMs, silentMs]) => {
    const startMs = ms + speechMs
    ms = startMs + silentMs
    return silence(startMs / 1000, ms / 1000)
  })
  return { silences, durationSec: (ms + 1000) / 1000 }
})

test('whatever the silences, every word that is said returns to its place, and never grows', () => {
  assert(
    property(files, double({ min: 0.01, max: 1, noNaN: true }), (file, share) => {
      const soundings = soundingsOf(file.durationSec, file.silences)
      const ranges = rangesOf(soundings, { startSec: 0, endSec: lengthOf(soundings) })
      expect(ranges).toHaveLength(soundings.length)
      for (const { fromSec, toSec, atSec } of soundings) {
        const lengthSec = toSec - fromSec
        const [startSec, endSec] = [atSec + (share * lengthSec) / 2, atSec + share * lengthSec]
        const back = restored({ startSec, endSec }, soundings)
        expect(back.startSec).toBeCloseTo(fromSec + (share * lengthSec) / 2, 6)
        expect(back.endSec).toBeCloseTo(fromSec + share * lengthSec, 6)
      }
      const sentSec = lengthOf(soundings)
      const over = restored({ startSec: 0, endSec: share * sentSec }, soundings)
      expect(over.endSec).toBeGreaterThanOrEqual(over.startSec)
      expect(over.endSec - over.startSec).toBeLessThanOrEqual(share * sentSec + 1e-6)
      // Everything that is not sent is silent.
      for (const [index, { fromSec }] of soundings.slice(1).entries()) {
        const cutFromSec = soundings[index]?.toSec ?? 0
        const isSilent = file.silences.some(
          (each) => each.startSec <= cutFromSec && each.endSec >= fromSec,
        )
        expect(isSilent).toBe(true)
      }
    }),
  )
})
