import { expect, test } from 'vitest'
import { numberQuestions } from './asking.ts'

test('an answer that was overtaken counts as old', () => {
  const questions = numberQuestions()
  const [first, second, third] = [questions.ask(), questions.ask(), questions.ask()] as const
  // It counts as new while no later answer is known.
  expect(first()).toBe(true)
  expect(third()).toBe(true)
  expect(second()).toBe(false)
  expect(questions.ask()()).toBe(true)
})
