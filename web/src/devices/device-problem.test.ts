import { expect, test } from 'vitest'
import { deviceProblemOf } from './device-problem.ts'

test.each([
  ['NotAllowedError', 'denied'],
  ['NotFoundError', 'not-found'],
  ['OverconstrainedError', 'not-found'],
  ['NotReadableError', 'busy'],
  ['TypeError', 'failed'],
])('the browser error %s is told as %s', (name, problem) => {
  expect(deviceProblemOf(new DOMException('', name))).toBe(problem)
})

test('what is no error at all is told as a failure', () => {
  expect(deviceProblemOf('oh')).toBe('failed')
})
