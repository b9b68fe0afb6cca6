import { setTimeout as delay } from 'node:timers/promises'
import * as live from '@interview-room/contract/operations/live-moderation.ts'
import { shareRoomAsParticipant } from '../../domain/people/admit.ts'
import { refuseUnlessTakingPart } from '../../domain/people/find-consent.ts'
import { personOf } from '../../domain/people/in-flight.ts'
import { markedAt, markOf, refuseMarkerFields } from '../../domain/people/marker.ts'
import {
  isConsent,
  postRoomEvent,
  rateKeyOf,
  refuseSender,
} from '../../domain/people/post-room-event.ts'
import { createRateRefusals } from '../../domain/people/rate-refusals.ts'
import { updateMediaRightsNow } from '../../domain/people/update-media-rights.ts'
import { answerConsent } from '../../domain/recording/recordings/answer-consent.ts'
import { findPlaceInRecording } from '../../domain/recording/recordings/read-recordings.ts'
import { inTransaction } from '../../platform/db/db.ts'
import type { Deps } from '../../platform/ports/deps.ts'
import type { App } from '../http/app-types.ts'
import { serve } from '../http/serve.ts'

/**
 * An answer about being observed takes this long in any case. It changes what those receive who observe, and the time
 * that this takes would show a panelist whether there is anybody.
 */
const OBSERVATION_ANSWER_MS = 500

/** Room events that pages post. */
export async function roomEventLiveRoutes(app: App, deps: Deps): Promise<void> {
  const { db, clock } = deps
  const refusals = createRateRefusals(clock)

  serve(app, live.postRoomEvent, async ({ holder, body }) => {
    refuseSender(holder.role, body.event_type)
    refuseMarkerFields(body)
    const sender = rateKeyOf(personOf(holder), body.event_type)
    const event = await refusals.unlessWaiting(sender, () =>
      inTransaction(db, async (tx) => {
        if (isConsent(body.event_type)) return answerConsent(tx, { clock, holder, event: body })
        // Takes the shared lock of the room: no event is stored after a close or a ban.
        const locked = await shareRoomAsParticipant({ db: tx, clock }, holder)
        await refuseUnlessTakingPart(tx, holder)
        if (body.event_type !== 'marker') {
          return postRoomEvent(tx, locked, { sender: holder, event: body })
        }
        const at = markedAt(body, clock())
        const place = await findPlaceInRecording(tx, { roomId: holder.roomId, at })
        const mark = markOf(body, { at, place })
        return postRoomEvent(tx, locked, { sender: holder, event: body, mark })
      }),
    )
    if (!isConsent(body.event_type)) return { data: event }
    // Updated before the answer, after which a person who has declined may begin to publish.
    await Promise.all([
      updateMediaRightsNow(deps, holder.roomId),
      body.payload?.purpose === 'observation' && delay(OBSERVATION_ANSWER_MS),
    ])
    return { data: event }
  })
}
