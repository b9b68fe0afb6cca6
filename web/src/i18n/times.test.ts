import { describe, expect, test } from 'vitest'
import { timecode } from './times.ts'

describe('a time in a video', () => {
  test.each([
    [0, '0:00'],
    [61.9, '1:01'],
    [3599, '59:59'],
    [3661, '1:01:01'],
  ])('of %d seconds reads %s', (seconds, words) => {
    expect(timecode(seconds)).toBe(words)
  })
})
