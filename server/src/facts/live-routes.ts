import { ErrorBody, success, Uuid } from '@interview-room/contract/envelope.ts'
import { NewFact } from '@interview-room/contract/live-moderation.ts'
import { Fact } from '@interview-room/contract/live-stream.ts'
import { Type } from 'typebox'
import { inTransaction } from '../db/db.ts'
import type { Deps } from '../deps.ts'
import type { App } from '../http/app-types.ts'
import { succeed } from '../http/present.ts'
import { personOf } from '../live/in-flight.ts'
import { createRateRefusals } from '../live/rate-refusals.ts'
import { requireHolder } from '../live/require-holder.ts'
import { shareRoomInside } from '../participants/admit.ts'
import { hastenRecording } from '../recordings/hasten-recording.ts'
import { answerConsent, isConsent } from './answer-consent.ts'
import { refuseSender, sendFact } from './send-fact.ts'

/** What people in a room note or tell. */
export async function factLiveRoutes(app: App, deps: Deps): Promise<void> {
  const { db, clock } = deps
  const refusals = createRateRefusals(clock)

  app.post(
    '/rooms/:room_id/live/events',
    {
      schema: {
        tags: ['Participant plane'],
        params: Type.Object({ room_id: Uuid }),
        body: NewFact,
        response: { 201: success(Fact), default: ErrorBody },
      },
    },
    async (request, reply) => {
      const { body } = request
      const holder = await requireHolder(deps, request)
      refuseSender(holder.role, body.event_type)
      const fact = await refusals.unlessWaiting(personOf(holder), () =>
        inTransaction(db, async (tx) => {
          if (isConsent(body.event_type)) return answerConsent(tx, { clock, holder, fact: body })
          // Shares the room: nothing is noted behind a close or a ban.
          const held = await shareRoomInside({ db: tx, clock }, holder)
          return sendFact(tx, held, { sender: holder, fact: body })
        }),
      )
      if (isConsent(body.event_type)) await hastenRecording(deps, holder.roomId)
      void reply.code(201)
      return succeed(fact)
    },
  )
}
