import { expect, test } from 'vitest'
import { numberQuestions } from './asking.ts'

test('an answer that was overtaken is known to be old', () => {
  const questions = numberQuestions()
  const [first, second, third] = [questions.ask(), questions.ask(), questions.ask()] as const
  // While nothing later is known, it is news.
  expect(first()).toBe(true)
  expect(third()).toBe(true)
  expect(second()).toBe(false)
  expect(questions.ask()()).toBe(true)
})
