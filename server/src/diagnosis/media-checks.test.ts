import { expect, test } from 'vitest'
import { checkParticipants } from './media-checks.ts'

test.each([
  [3, 'fail'],
  [9, 'fail'],
  [10, undefined],
  [0, undefined],
])('judges a room that takes %i participants (0: any number)', (max, result) => {
  expect(checkParticipants(max)?.result).toBe(result)
})
