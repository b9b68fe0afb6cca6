import { describe, expect, test } from 'vitest'
import { soundStretches } from './exhibit-sound.ts'
import { type Exhibit, placeExhibits, withExhibits } from './exhibits.ts'

const PART = {
  startMs: 10_000,
  endMs: 20_000,
  frameOf: (ms: number) => 50 + Math.round((ms - 10_000) / 100),
}
const MEDIA = { width: 160, height: 90, hasSound: true }

function exhibit(change: Partial<Exhibit> = {}): Exhibit {
  return { kind: 'image', file: 'a', fromMs: 12_000, toMs: 15_000, playback: [], ...change }
}

function placed(exhibits: readonly Exhibit[], media: typeof MEDIA | undefined = MEDIA) {
  return placeExhibits(exhibits, () => media, PART)
}

describe('an exhibit in a part of the recording', () => {
  test.each([
    ['lies where it was shown', {}, [70, 100]],
    ['is cut where the part begins', { fromMs: 1_000 }, [50, 100]],
    ['is cut where the part ends', { toMs: 99_000 }, [70, 150]],
  ])('%s', (_name, change, frames) => {
    expect(placed([exhibit(change)]).map((one) => [one.fromFrame, one.toFrame])).toEqual([frames])
  })

  test.each([
    ['was shown before it', { toMs: 10_000 }],
    ['was shown after it', { fromMs: 20_000, toMs: 30_000 }],
  ])('is absent if it %s', (_name, change) => {
    expect(placed([exhibit(change)])).toEqual([])
  })

  test('is left out when its file cannot be read', () => {
    expect(placeExhibits([exhibit()], () => undefined, PART)).toEqual([])
  })

  test.each([
    ['stands at its beginning before any playback event', [], [[70, 0, false]]],
    [
      'follows the playback events while it is shown',
      [
        { atMs: 13_000, positionSec: 0, isPlaying: true },
        { atMs: 14_000, positionSec: 5, isPlaying: false },
      ],
      [
        [70, 0, false],
        [80, 0, true],
        [90, 5, false],
      ],
    ],
    [
      'continues where it was when the part began',
      [{ atMs: 11_000, positionSec: 4, isPlaying: true }],
      [[70, 5, true]],
    ],
    [
      'stands where it was paused',
      [{ atMs: 11_000, positionSec: 4, isPlaying: false }],
      [[70, 4, false]],
    ],
  ])('that is a video %s', (_name, playback, steps) => {
    const [one] = placed([exhibit({ kind: 'video', playback })])
    expect(
      one?.steps.map(({ frame, positionSec, isPlaying }) => [frame, positionSec, isPlaying]),
    ).toEqual(steps)
  })

  test('is heard while it plays, in samples of the capture', () => {
    const playback = [
      { atMs: 13_000, positionSec: 2, isPlaying: true },
      { atMs: 14_000, positionSec: 3, isPlaying: false },
    ]
    const exhibits = placed([exhibit({ kind: 'video', playback })])
    expect(soundStretches(exhibits, 10)).toEqual([
      { file: 'a', positionSec: 2, start: 384_000, end: 432_000 },
    ])
    const silent = placed([exhibit({ kind: 'video', playback })], { ...MEDIA, hasSound: false })
    expect(soundStretches(silent, 10)).toEqual([])
  })
})

test('spans are split where exhibits come and go', () => {
  const exhibits = placed([exhibit(), exhibit({ fromMs: 14_000, toMs: 18_000 })])
  const spans = [
    { fromMs: 10_000, toMs: 13_000 },
    { fromMs: 13_000, toMs: 20_000 },
  ]
  expect(
    withExhibits(spans, exhibits).map((span) => [
      span.fromMs,
      span.toMs,
      span.exhibits.map(({ id }) => id),
    ]),
  ).toEqual([
    [10_000, 12_000, []],
    [12_000, 13_000, ['0']],
    [13_000, 14_000, ['0']],
    [14_000, 15_000, ['0', '1']],
    [15_000, 18_000, ['1']],
    [18_000, 20_000, []],
  ])
})
