import type { QuestionBody } from '@interview-room/contract/questions.ts'
import type { QuestionStatus } from '@interview-room/contract/vocabulary.ts'
import { expect, test } from 'vitest'
import { countOpen, inOrder } from './in-order.ts'

const question = (id: string, status: QuestionStatus): QuestionBody => ({
  id,
  text: id,
  status,
  participant_id: null,
  display_name: 'Observer',
  created_at: '2030-01-01T10:00:00.000Z',
})

const QUEUE = [
  question('a', 'done'),
  question('b', 'later'),
  question('c', 'open'),
  question('d', 'asked'),
  question('e', 'open'),
]

test('open questions come first, then those for later, and finished ones last', () => {
  expect(inOrder(QUEUE).map(({ id }) => id)).toEqual(['c', 'e', 'b', 'd', 'a'])
})

test('open questions are counted', () => {
  expect(countOpen(QUEUE)).toBe(2)
  expect(countOpen([])).toBe(0)
})
