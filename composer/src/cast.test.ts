import { describe, expect, test } from 'vitest'
import type { CaptureEvent } from './capture/capture-events.ts'
import { castSpans } from './cast.ts'

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

const spans = castSpans(FACTS, { fromMs: 120, toMs: 800, layout: 'grid' })

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
  const spans = castSpans(events, { fromMs: 0, toMs: 1000, layout: 'grid' })
  const names = spans.map(({ fromMs, members }) => [fromMs, ...members.map(({ name }) => name)])
  expect(names.filter(([, ...present]) => present.length > 0)).toEqual([
    [0, 'Alice', 'Bob'],
    [500, 'Bob'],
  ])
})
