import { expect, test } from 'vitest'
import { BlurFailure } from './background-blur.ts'
import { deviceProblemOf } from './device-problem.ts'

test.each([
  ['NotAllowedError', 'denied'],
  ['NotFoundError', 'not-found'],
  ['OverconstrainedError', 'not-found'],
  ['NotReadableError', 'busy'],
  ['TypeError', 'failed'],
])('the browser error %s is shown as %s', (name, problem) => {
  expect(deviceProblemOf(new DOMException('', name))).toBe(problem)
})

test('a failed blur is shown as such', () => {
  expect(deviceProblemOf(new BlurFailure())).toBe('blur')
})

test('a thrown value that is not an error is shown as a failure', () => {
  expect(deviceProblemOf('oh')).toBe('failed')
})
