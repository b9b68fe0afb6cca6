import type { QuestionBody } from '@interview-room/contract/questions.ts'
import type { Question } from './store.ts'

export function presentQuestion(question: Question): QuestionBody {
  return {
    id: question.id,
    text: question.text,
    status: question.status,
    participant_id: question.participantId,
    display_name: question.displayName,
    created_at: question.createdAt.toISOString(),
  }
}
