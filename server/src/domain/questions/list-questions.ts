import { SNAPSHOT_EVENTS_MAX } from '@interview-room/contract/live-stream.ts'
import { QUESTION_ROLES, type QuestionBody } from '@interview-room/contract/questions.ts'
import type { Role } from '@interview-room/contract/vocabulary.ts'
import type { Query } from '../../platform/db/db.ts'
import { presentQuestion } from './present.ts'
import { listNewestQuestions } from './store.ts'

/** The questions that this role may see, oldest first, for a page that joins late or reloads. */
export async function listQuestions(
  query: Query,
  roomId: string,
  role: Role,
): Promise<QuestionBody[]> {
  if (!mayKnowQuestions(role)) return []
  const newest = await listNewestQuestions(query, roomId, SNAPSHOT_EVENTS_MAX)
  return newest.toReversed().map((question) => presentQuestion(question))
}

export function mayKnowQuestions(role: Role): boolean {
  const roles: readonly Role[] = QUESTION_ROLES
  return roles.includes(role)
}
