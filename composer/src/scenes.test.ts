import { describe, expect, test } from 'vitest'
import type { Member } from './cast.ts'
import { planScenes } from './scenes.ts'
import { focusChanges } from './speech.ts'

const CANVAS = { width: 640, height: 480 }
const PLAN = {
  canvas: CANVAS,
  frameOf: (ms: number) => Math.round((ms - 1000) / 100),
  isFill: false,
  exhibits: [],
  spotlights: [],
  empty: [],
}

function member(name: string, change: Partial<Member> = {}): Member {
  return {
    participant: `PA_${name}`,
    identity: `id-${name}`,
    name,
    isScreen: false,
    video: { track: `TR_${name}`, sinceMs: 0 },
    ...change,
  }
}

describe('the scenes', () => {
  const people = [member('a'), member('b')]

  test('cover every frame once', () => {
    const scenes = planScenes(
      [
        { fromMs: 1000, toMs: 1449, layout: 'grid', members: people },
        { fromMs: 1449, toMs: 1451, layout: 'grid', members: [] },
        { fromMs: 1451, toMs: 2000, layout: 'grid', members: people.slice(1) },
      ],
      [],
      PLAN,
    )
    expect(
      scenes.map(({ fromFrame, toFrame, tiles }) => [fromFrame, toFrame, tiles.length]),
    ).toEqual([
      [0, 4, 2],
      [4, 5, 0],
      [5, 10, 1],
    ])
  })

  test('of a speaker layout follow the speaker, and prefer a shared screen', () => {
    const span = { fromMs: 1000, toMs: 3000, layout: 'speaker', members: people }
    const focus = [
      { fromMs: 500, participant: 'PA_b' },
      { fromMs: 2000, participant: 'PA_a' },
    ]
    const firstOf = (members: Member[]) =>
      planScenes([{ ...span, members }], focus, PLAN).map(({ fromFrame, tiles }) => [
        fromFrame,
        tiles[0]?.video?.track,
      ])
    expect(firstOf(people)).toEqual([
      [0, 'TR_b'],
      [10, 'TR_a'],
    ])
    const screen = member('a', { isScreen: true, video: { track: 'TR_s', sinceMs: 0 } })
    expect(firstOf([...people, screen])).toEqual([[0, 'TR_s']])
  })

  test('of a grid give a shared screen the focus', () => {
    const screen = member('a', { isScreen: true, video: { track: 'TR_s', sinceMs: 0 } })
    const span = { fromMs: 1000, toMs: 3000, layout: 'grid', members: [...people, screen] }
    const [scene] = planScenes([span], [], PLAN)
    expect(scene?.tiles.map(({ video }) => video?.track)).toEqual(['TR_s', 'TR_a', 'TR_b'])
    expect(scene?.tiles[0]?.box.width).toBe(CANVAS.width)
    expect(scene?.tiles.map(({ name }) => name)).toEqual(['', 'a', 'b'])
  })

  test('give an exhibit the stage, beside the people', () => {
    const media = { width: 160, height: 90, hasSound: false }
    const times = { fromMs: 2000, toMs: 3000, fromFrame: 10, toFrame: 20 }
    const shown = { id: '0/0', kind: 'image' as const, file: '', media, ...times, steps: [] }
    const span = { fromMs: 1000, toMs: 3000, layout: 'grid', members: people }
    const scenes = planScenes([span], [], { ...PLAN, exhibits: [shown] })
    expect(
      scenes.map(({ fromFrame, tiles }) => [
        fromFrame,
        tiles.map(({ exhibit, name }) => exhibit?.id ?? name),
      ]),
    ).toEqual([
      [0, ['a', 'b']],
      [10, ['0/0', 'a', 'b']],
    ])
  })

  test('of one participant fill the canvas, without a name', () => {
    const span = { fromMs: 1000, toMs: 2000, layout: 'grid', members: [member('a')] }
    const [scene] = planScenes([span], [], { ...PLAN, isFill: true })
    expect(scene?.tiles).toMatchObject([{ box: { x: 0, y: 0, ...CANVAS }, name: '' }])
  })
})

function speaking(from: number, to: number, level: number) {
  return Array.from({ length: (to - from) / 20 }, (_, i) => {
    const timeMs = from + i * 20
    return { timeMs, atMs: timeMs, offset: 0, size: 1, samples: 960, level }
  })
}

describe('the scenes while a person is in the spotlight', () => {
  const people = [member('a'), member('b')]
  const spotlights = [{ identity: 'id-b', fromMs: 1500, toMs: 2000 }]
  const span = { fromMs: 1000, toMs: 3000, layout: 'grid', members: people }
  const lone = [{ fromMs: 0, participant: 'PA_a' }]
  const largestOf = (members: Member[], change: Partial<Parameters<typeof planScenes>[2]> = {}) =>
    planScenes([{ ...span, members }], lone, { ...PLAN, spotlights, ...change }).map(
      ({ fromFrame, tiles }) => [fromFrame, tiles[0]?.box.width, tiles[0]?.video?.track],
    )

  test('show this person large, no matter who speaks', () => {
    expect(largestOf(people)).toEqual([
      [0, 318, 'TR_a'],
      [5, CANVAS.width, 'TR_b'],
      [10, 318, 'TR_a'],
    ])
  })

  test('are a grid while this person is away', () => {
    const others = [member('a'), member('c')]
    expect(largestOf(others).map(([, width]) => width)).toEqual([318, 318, 318])
  })

  test('show a shared screen large instead', () => {
    const screen = member('a', { isScreen: true, video: { track: 'TR_screen', sinceMs: 0 } })
    const tracks = largestOf([...people, screen]).map(([, , track]) => track)
    expect(tracks).toEqual(['TR_screen', 'TR_screen', 'TR_screen'])
  })

  test('are those of one person if only this one is recorded', () => {
    expect(largestOf([member('a')], { isFill: true })).toEqual([[0, CANVAS.width, 'TR_a']])
  })
})

describe('the focus', () => {
  test('goes to the speaker, but not for a short interjection', () => {
    const changes = focusChanges([
      { participant: 'a', units: [...speaking(0, 4000, 20), ...speaking(4000, 9000, 90)] },
      { participant: 'b', units: [...speaking(2000, 2500, 10), ...speaking(5000, 9000, 20)] },
    ])
    expect(changes.map(({ participant }) => participant)).toEqual(['a', 'b'])
    expect(changes[1]?.fromMs).toBeGreaterThanOrEqual(5000)
    expect(changes[1]?.fromMs).toBeLessThan(6500)
  })

  test('moves from a person who only interjects to one who keeps speaking', () => {
    const words = [0, 1000, 2000, 3000, 4000, 5000].flatMap((from) => speaking(from, from + 300, 5))
    const changes = focusChanges([
      { participant: 'a', units: words },
      { participant: 'b', units: speaking(1500, 6000, 30) },
    ])
    expect(changes.map(({ participant }) => participant)).toEqual(['a', 'b'])
  })
})
