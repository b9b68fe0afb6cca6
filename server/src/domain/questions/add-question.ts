import { QUESTIONS_PER_MIN } from '@interview-room/contract/limits.ts'
import { type QuestionRequest, type QuestionBody } from '@interview-room/contract/questions.ts'
import type { Tx } from '../../platform/db/db.ts'
import { ServiceError } from '../../platform/lib/service-error.ts'
import { refuseWhileWaiting } from '../people/rate-limit-error.ts'
import type { TicketHolder } from '../people/ticket.ts'
import { appendRoomEvent } from '../room-log/append-room-event.ts'
import { publishLiveEvent } from '../room-log/publish-live-event.ts'
import type { LockedRoomKey } from '../room-log/room-lock.ts'
import { presentQuestion } from './present.ts'
import { countNewestQuestions, findQuestion } from './store.ts'

const MINUTE_MS = 60_000

/**
 * Adds a question to the moderator's queue, once for each id. The room's exclusive lock keeps others from adding one
 * meanwhile. Throws 422 IDEMPOTENCY_KEY_CONFLICT for an id of another question, 429 RATE_LIMIT_EXCEEDED.
 */
export async function addQuestion(
  tx: Tx,
  locked: LockedRoomKey,
  { sender, question: { id: given, text } }: { sender: TicketHolder; question: QuestionRequest },
): Promise<{ question: QuestionBody; isNew: boolean }> {
  const { roomId } = locked
  const id = given.toLowerCase()
  const first = await findQuestion(tx, { roomId, id })
  if (first !== undefined) {
    const isRepeat = first.identity === sender.mediaIdentity && first.text === text
    if (!isRepeat) throw new ServiceError('IDEMPOTENCY_KEY_CONFLICT')
    return { question: presentQuestion(first), isNew: false }
  }

  const { participantId, mediaIdentity: identity, displayName } = sender
  const { at } = await appendRoomEvent(tx, {
    ...locked,
    eventType: 'question.added',
    payload: {
      question_id: id,
      participant_id: participantId,
      identity,
      display_name: displayName,
      text,
    },
  })
  await refuseTooMany(tx, sender, at)
  const question = presentQuestion({
    id,
    text,
    status: 'open',
    participantId,
    identity,
    displayName,
    createdAt: at,
  })
  await publishLiveEvent(tx, locked, { name: 'question', payload: question })
  return { question, isNew: true }
}

async function refuseTooMany(tx: Tx, sender: TicketHolder, at: Date): Promise<void> {
  const { count, first } = await countNewestQuestions(tx, sender, at)
  if (count <= QUESTIONS_PER_MIN) return
  refuseWhileWaiting(Math.ceil((first.getTime() + MINUTE_MS - at.getTime()) / 1000))
}
