import type { QuestionBody } from '@interview-room/contract/questions.ts'
import type { QuestionStatus } from '@interview-room/contract/vocabulary.ts'
import type { Tx } from '../../platform/db/db.ts'
import { ServiceError } from '../../platform/lib/service-error.ts'
import type { TicketHolder } from '../people/ticket.ts'
import { appendRoomEvent } from '../room-log/append-room-event.ts'
import { publishLiveEvent } from '../room-log/publish-live-event.ts'
import type { LockedRoomKey } from '../room-log/room-lock.ts'
import { presentQuestion } from './present.ts'
import { findQuestion } from './store.ts'

/** Notes what became of a question; a repeat changes nothing. Throws 404 NOT_FOUND. */
export async function changeQuestion(
  tx: Tx,
  locked: LockedRoomKey,
  { id, status, by }: { id: string; status: QuestionStatus; by: TicketHolder },
): Promise<QuestionBody> {
  const found = await findQuestion(tx, { roomId: locked.roomId, id: id.toLowerCase() })
  if (found === undefined) throw new ServiceError('NOT_FOUND')
  const question = presentQuestion({ ...found, status })
  if (found.status === status) return question
  await appendRoomEvent(tx, {
    ...locked,
    eventType: 'question.changed',
    payload: { question_id: found.id, status, by: by.participantId },
  })
  await publishLiveEvent(tx, locked, { name: 'question', payload: question })
  return question
}
