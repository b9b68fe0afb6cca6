import { describe, expect, test } from 'vitest'
import { type PresentationEvent, presentationsOf } from './presentation.ts'

const at = (sec: number) => new Date(Date.UTC(2026, 5, 1) + sec * 1000)

function show(sec: number, handoutId: string): PresentationEvent {
  return {
    at: at(sec),
    handoutId,
    to: 'show',
    contentType: 'video',
    storageKey: `key-${handoutId}`,
  }
}
const hide = (sec: number, handoutId: string): PresentationEvent => ({
  at: at(sec),
  handoutId,
  to: 'hide',
})
const play = (sec: number, handoutId: string): PresentationEvent => ({
  at: at(sec),
  handoutId,
  to: 'playback',
  positionSec: 7,
  isPlaying: true,
})

describe('the presentations of a room', () => {
  test('last from each show to its hide, with the file at that time', () => {
    const events = [show(1, 'a'), hide(2, 'a'), show(3, 'b'), hide(5, 'b'), show(6, 'a')]
    const past = presentationsOf(events)
    expect(past.map(({ storageKey, from, to }) => [storageKey, from, to])).toEqual([
      ['key-a', at(1), at(2)],
      ['key-b', at(3), at(5)],
      ['key-a', at(6), null],
    ])
  })

  test('end with the next one if no hide was logged', () => {
    expect(presentationsOf([show(1, 'a'), show(3, 'b')]).map(({ to }) => to)).toEqual([at(3), null])
  })

  test('have the playback of the presented video only', () => {
    const events = [
      play(0, 'a'),
      show(1, 'a'),
      play(2, 'a'),
      play(3, 'b'),
      hide(4, 'a'),
      play(5, 'a'),
    ]
    expect(presentationsOf(events)).toMatchObject([
      { playback: [{ at: at(2), positionSec: 7, isPlaying: true }] },
    ])
  })
})
