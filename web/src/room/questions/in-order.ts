import type { QuestionBody } from '@interview-room/contract/questions.ts'
import type { QuestionStatus } from '@interview-room/contract/vocabulary.ts'

/** Open questions come first. */
const RANK: Record<QuestionStatus, number> = { open: 0, later: 1, asked: 2, done: 3 }

/** Open questions, then the ones for later, then the finished ones. Each group has its oldest first. */
export function inOrder(questions: readonly QuestionBody[]): readonly QuestionBody[] {
  return questions.toSorted((one, other) => RANK[one.status] - RANK[other.status])
}

export function countOpen(questions: readonly QuestionBody[]): number {
  return questions.filter(({ status }) => status === 'open').length
}
