import { expect, test } from 'vitest'
import { failuresOf } from './failure-reasons.ts'

test('the reason of a failed recording is read from the log of the room', () => {
  const reasons = failuresOf([
    { payload: { recording_id: 'one', failure_reason: 'start_timeout' } },
    { payload: null },
  ])
  expect(reasons.get('one')).toBe('start_timeout')
  expect(reasons.get('two')).toBeUndefined()
})
