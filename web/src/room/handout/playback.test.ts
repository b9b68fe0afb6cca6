import { describe, expect, test } from 'vitest'
import { hasDrifted, placeAt, positionAt } from './playback.ts'

const AT = '2026-06-01T10:00:00.000Z'
const at = (seconds: number) => Date.parse(AT) + seconds * 1000
const playing = { position_sec: 12, is_playing: true, at: AT }

describe('the position of a shown video', () => {
  test('advances from the last event while it plays', () => {
    expect(positionAt(playing, at(0), 60)).toBe(12)
    expect(positionAt(playing, at(7.5), 60)).toBe(19.5)
  })

  test('stays while it is paused', () => {
    expect(positionAt({ ...playing, is_playing: false }, at(30), 60)).toBe(12)
  })

  test('ends with the video', () => {
    expect(positionAt(playing, at(3600), 60)).toBe(60)
  })

  test('does not jump back for a slow clock', () => {
    expect(positionAt(playing, at(-5), 60)).toBe(12)
  })
})

describe('the place of a shown video', () => {
  test('is within its length', () => {
    expect(placeAt(playing, at(3600), 60)).toEqual({ positionSec: 60, durationSec: 60 })
  })

  test.each([undefined, Number.NaN, Infinity])('is known before its length is: %s', (lengthSec) => {
    const place = { positionSec: 19.5, durationSec: null }
    expect(placeAt(playing, at(7.5), lengthSec)).toEqual(place)
  })
})

describe('a video out of step', () => {
  test.each([
    [10, 10.9, false],
    [10, 9.1, false],
    [10, 11.1, true],
    [10, 8.9, true],
  ])('at %d instead of %d seconds seeks while it plays: %s', (actual, wanted, jumps) => {
    expect(hasDrifted(actual, wanted, { is_playing: true })).toBe(jumps)
  })

  test.each([
    [10, 10.04, true],
    [10, 9.96, true],
    // A browser returns such a rounded value after a seek.
    [7.917, 7.917000000000001, false],
    [7.9, 7.9000004, false],
  ])('at %d instead of %d seconds seeks while it is paused: %s', (actual, wanted, jumps) => {
    expect(hasDrifted(actual, wanted, { is_playing: false })).toBe(jumps)
  })
})
