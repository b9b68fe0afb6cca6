import { describe, expect, test } from 'vitest'
import type { CaptureEvent } from './capture/capture-events.ts'
import { castSpans, placesOf } from './cast.ts'

const FACTS: CaptureEvent[] = [
  { atMs: 100, fact: 'joined', participant: 'PA_a', identity: 'alice', name: 'Alice' },
  {
    atMs: 110,
    fact: 'published',
    participant: 'PA_a',
    track: 'TR_a',
    role: 'camera',
    isMuted: false,
  },
  { atMs: 120, fact: 'active' },
  { atMs: 300, fact: 'joined', participant: 'PA_b', identity: 'bob', name: 'Bob' },
  {
    atMs: 300,
    fact: 'published',
    participant: 'PA_b',
    track: 'TR_b',
    role: 'camera',
    isMuted: true,
  },
  { atMs: 400, fact: 'muted', track: 'TR_a' },
  { atMs: 450, fact: 'unmuted', track: 'TR_a' },
  { atMs: 450, fact: 'unmuted', track: 'TR_b' },
  { atMs: 500, fact: 'renamed', participant: 'PA_b', name: 'Robert' },
  {
    atMs: 600,
    fact: 'published',
    participant: 'PA_b',
    track: 'TR_s',
    role: 'screen',
    isMuted: false,
  },
  { atMs: 640, fact: 'unrecordable', track: 'TR_s', codec: 'video/VP9' },
  // An event of a later release.
  { atMs: 645, fact: 'waved', participant: 'PA_a' } as unknown as CaptureEvent,
  { atMs: 650, fact: 'layout', layout: 'speaker' },
  { atMs: 700, fact: 'unpublished', track: 'TR_s' },
  { atMs: 700, fact: 'left', participant: 'PA_a' },
  { atMs: 900, fact: 'left', participant: 'PA_b' },
]

const spans = castSpans(FACTS, { fromMs: 120, toMs: 800, layout: 'grid', places: [] })

function seenAt(ms: number): string {
  const span = spans.find(({ fromMs, toMs }) => fromMs <= ms && ms < toMs)
  const members = span?.members ?? []
  const texts = members.map(({ name, isScreen, video }) => {
    return `${name}${isScreen ? "'s screen" : ''}: ${video === undefined ? 'dark' : video.track}`
  })
  return `${span?.layout} ${texts.join(', ')}`
}

describe('the cast of a scene', () => {
  test.each([
    [200, 'grid Alice: TR_a'],
    [350, 'grid Alice: TR_a, Bob: dark'],
    [420, 'grid Alice: dark, Bob: dark'],
    [480, 'grid Alice: TR_a, Bob: TR_b'],
    [550, 'grid Alice: TR_a, Robert: TR_b'],
    [620, "grid Alice: TR_a, Robert: TR_b, Robert's screen: TR_s"],
    [680, "speaker Alice: TR_a, Robert: TR_b, Robert's screen: TR_s"],
    [750, 'speaker Robert: TR_b'],
  ])('at %i', (ms, seen) => {
    expect(seenAt(ms)).toBe(seen)
  })

  test('covers the complete recording, and a video has the time at which it appears', () => {
    expect(spans[0]?.fromMs).toBe(120)
    expect(spans.at(-1)?.toMs).toBe(800)
    for (const [i, { toMs }] of spans.entries()) expect(spans[i + 1]?.fromMs ?? 800).toBe(toMs)
    const back = spans.find(({ fromMs }) => fromMs === 450)
    expect(back?.members[0]?.video).toEqual({ track: 'TR_a', sinceMs: 450 })
  })
})

test('a capture that another process resumed starts over with the present participants', () => {
  const events: CaptureEvent[] = [
    { atMs: 0, fact: 'joined', participant: 'PA_a', name: 'Alice' },
    { atMs: 0, fact: 'joined', participant: 'PA_b', name: 'Bob' },
    { atMs: 500, fact: 'resumed' },
    { atMs: 500, fact: 'joined', participant: 'PA_b', name: 'Bob' },
  ]
  const spans = castSpans(events, { fromMs: 0, toMs: 1000, layout: 'grid', places: [] })
  const names = spans.map(({ fromMs, members }) => [fromMs, ...members.map(({ name }) => name)])
  expect(names.filter(([, ...present]) => present.length > 0)).toEqual([
    [0, 'Alice', 'Bob'],
    [500, 'Bob'],
  ])
})

const present = (atMs: number, ...people: string[]): CaptureEvent[] =>
  people.map((name) => ({
    fact: 'joined',
    atMs,
    participant: `PA_${name}_${atMs}`,
    identity: name,
    name,
  }))
const namesIn = (events: readonly CaptureEvent[], places: readonly string[]) =>
  castSpans(events, { fromMs: 0, toMs: 9000, layout: 'grid', places }).map(({ members }) =>
    members.map(({ name }) => name).join(' '),
  )

describe('the places of the tiles', () => {
  test('are the same in every capture, in whatever order it lists the people', () => {
    const captures = [
      present(0, 'C', 'A', 'B'),
      present(0, 'A', 'B', 'C'),
      present(0, 'B', 'C', 'A'),
    ]
    const places = placesOf(captures, ['A', 'B', 'C'])
    for (const events of captures) expect(namesIn(events, places).at(-1)).toBe('A B C')
  })

  test('follow the known order, then the first appearance in any capture', () => {
    const captures = [present(0, 'D', 'B'), present(0, 'C', 'B', 'A', 'D')]
    const places = placesOf(captures, ['A'])
    expect(places).toEqual(['A', 'D', 'B', 'C'])
    expect(namesIn(captures[1] ?? [], places).at(-1)).toBe('A D B C')
  })

  test('stay when a person connects again or another process resumes the capture', () => {
    const events: CaptureEvent[] = [
      ...present(0, 'A', 'B', 'C'),
      { fact: 'left', atMs: 100, participant: 'PA_A_0' },
      ...present(200, 'A'),
      { fact: 'resumed', atMs: 500 },
      ...present(500, 'C', 'B', 'A'),
    ]
    const seen = namesIn(events, placesOf([events], []))
    expect(seen.filter((names) => names.length === 5)).toEqual(['A B C', 'A B C', 'A B C'])
  })

  test('are those of the connections in captures without identities', () => {
    const events: CaptureEvent[] = [
      { fact: 'joined', atMs: 0, participant: 'PA_b', name: 'B' },
      { fact: 'joined', atMs: 0, participant: 'PA_a', name: 'A' },
    ]
    expect(placesOf([events], [])).toEqual(['PA_b', 'PA_a'])
  })
})
