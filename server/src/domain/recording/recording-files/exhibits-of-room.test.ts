import { describe, expect, test } from 'vitest'
import type { PastPresentation } from '../../handouts/presentation.ts'
import { exhibitsOf } from './exhibits-of-room.ts'

const fileOf = (key: string) => (key === 'key' ? '/file' : undefined)
const at = (sec: number) => new Date(Date.UTC(2026, 5, 1) + sec * 1000)

describe('the presentations in a segment', () => {
  const segment = { startedAt: at(100), createdAt: at(99), clockOffsetMs: null }
  const shown = (change: Partial<PastPresentation> = {}): PastPresentation => ({
    contentType: 'video',
    storageKey: 'key',
    from: at(110),
    to: at(120),
    playback: [{ at: at(111), positionSec: 3, isPlaying: true }],
    ...change,
  })

  test("are those at that time, by the provider's clock", () => {
    expect(exhibitsOf({ ...segment, clockOffsetMs: 2000 }, [shown()], fileOf)).toEqual([
      {
        kind: 'video',
        file: '/file',
        fromMs: at(112).getTime(),
        toMs: at(122).getTime(),
        playback: [{ atMs: at(113).getTime(), positionSec: 3, isPlaying: true }],
      },
    ])
  })

  test('continue while nobody has hidden them', () => {
    const [exhibit] = exhibitsOf(segment, [shown({ to: null })], fileOf)
    expect(exhibit?.toMs).toBeGreaterThan(at(200).getTime())
  })

  test.each([
    ['was hidden before', { from: at(1), to: at(90) }],
    ['no longer has a file', { storageKey: 'gone' }],
  ])('do not include one that %s', (_name, change) => {
    expect(exhibitsOf(segment, [shown(change)], fileOf)).toEqual([])
  })
})
