import * as live from '@interview-room/contract/operations/live-questions.ts'
import { personOf } from '../../domain/people/in-flight.ts'
import { createRateRefusals } from '../../domain/people/rate-refusals.ts'
import { lockRoomAsParticipant, refuseRole } from '../../domain/people/require-holder.ts'
import { addQuestion } from '../../domain/questions/add-question.ts'
import { changeQuestion } from '../../domain/questions/change-question.ts'
import { mayKnowQuestions } from '../../domain/questions/list-questions.ts'
import { inTransaction } from '../../platform/db/db.ts'
import type { Deps } from '../../platform/ports/deps.ts'
import type { App } from '../http/app-types.ts'
import { serve } from '../http/serve.ts'

/** The moderator's queue of questions. */
export async function questionLiveRoutes(app: App, { db, clock }: Deps): Promise<void> {
  const refusals = createRateRefusals(clock)

  serve(app, live.addQuestion, async ({ holder, body }) => {
    if (!mayKnowQuestions(holder.role)) throw refuseRole('role', mayKnowQuestions)
    const { question, isNew } = await refusals.unlessWaiting(personOf(holder), () =>
      inTransaction(db, async (tx) => {
        const locked = await lockRoomAsParticipant(tx, clock, holder)
        return addQuestion(tx, locked, { sender: holder, question: body })
      }),
    )
    return { status: isNew ? 201 : 200, data: question }
  })

  serve(app, live.changeQuestion, async ({ params, holder, body }) => {
    const change = { id: params.question_id, status: body.status, by: holder }
    const data = await inTransaction(db, async (tx) => {
      const locked = await lockRoomAsParticipant(tx, clock, holder)
      return changeQuestion(tx, locked, change)
    })
    return { data }
  })
}
