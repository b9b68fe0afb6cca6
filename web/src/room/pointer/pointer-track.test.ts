import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { PointerChannel } from '../../connection/pointer-channel.ts'
import { decodePointer, encodePointer, type Place } from './pointer-message.ts'
import { PointerTrack } from './pointer-track.ts'

const HANDOUT = 'handout'
const HERE = { x: 0.25, y: 0.75 }
const THERE = { x: 1, y: 0 }

beforeEach(() => vi.useFakeTimers())
afterEach(() => vi.useRealTimers())

/** The page of a person who sees a handout. */
function page() {
  const sent: (Place | null | undefined)[] = []
  const channel = new PointerChannel(() => ({
    sendPointer: (message) => sent.push(decodePointer(message)?.place),
  }))
  const track = new PointerTrack(channel, HANDOUT)
  const stop = track.follow()
  let drawn = 0
  track.subscribe(() => {
    drawn += 1
  })
  const receive = (place: Place | null, handoutId = HANDOUT) =>
    channel.receive(encodePointer({ handoutId, place }))
  return { track, sent, stop, receive, drawn: () => drawn }
}

test("everybody sees the moderator's pointer until a few seconds after the last move", () => {
  const { track, receive } = page()
  receive(HERE)
  expect(track.getState()).toEqual(HERE)
  vi.advanceTimersByTime(2_000)
  receive(THERE)
  vi.advanceTimersByTime(2_000)
  expect(track.getState()).toEqual(THERE)
  vi.advanceTimersByTime(1_000)
  expect(track.getState()).toBeNull()
})

test('the pointer disappears when the moderator stops pointing', () => {
  const { track, receive } = page()
  receive(HERE)
  vi.advanceTimersByTime(100)
  receive(null)
  expect(track.getState()).toBeNull()
})

test('a moderator sees what everybody else sees', () => {
  const { track } = page()
  track.move(HERE)
  expect(track.getState()).toEqual(HERE)
  vi.advanceTimersByTime(3_000)
  expect(track.getState()).toBeNull()
})

test('moves are sent at most twenty times a second, and always the last one', () => {
  const { track, sent } = page()
  for (let step = 0; step <= 100; step += 1) {
    track.move({ x: step / 100, y: 0 })
    vi.advanceTimersByTime(5)
  }
  vi.advanceTimersByTime(100)
  expect(sent.length).toBeLessThanOrEqual(12)
  expect(sent.at(-1)).toEqual({ x: 1, y: 0 })
})

test('the last move is sent a second time, for people who missed the first message', () => {
  const { track, sent } = page()
  track.move(HERE)
  vi.advanceTimersByTime(100)
  track.move(THERE)
  vi.advanceTimersByTime(10_000)
  expect(sent).toEqual([HERE, THERE, THERE])
})

test('the page draws the newest position, and not more often than needed, however many messages arrive', () => {
  const { track, receive, drawn } = page()
  for (let step = 0; step < 1_000; step += 1) receive({ x: step / 1_000, y: 0 })
  vi.advanceTimersByTime(100)
  expect(drawn()).toBe(2)
  expect(track.getState()).toEqual({ x: 0.999, y: 0 })
})

test('a pointer on another handout is not shown', () => {
  const { track, receive } = page()
  receive(HERE, 'another')
  expect(track.getState()).toBeNull()
})

test('nothing is drawn or sent after the handout is gone', () => {
  const { track, receive, stop, sent, drawn } = page()
  track.move(HERE)
  track.move(THERE)
  stop()
  receive(HERE)
  vi.advanceTimersByTime(10_000)
  expect(sent).toEqual([HERE])
  expect(drawn()).toBe(2)
})
