import * as live from '@interview-room/contract/operations/live-people.ts'
import { allowScreen } from '../../domain/people/allow-screen.ts'
import { lowerAllHands, lowerHand } from '../../domain/people/lower-hands.ts'
import { lockRoomAsParticipant } from '../../domain/people/require-holder.ts'
import { endSpotlight, startSpotlight } from '../../domain/people/spotlight.ts'
import type { TicketHolder } from '../../domain/people/ticket.ts'
import { updateMediaRightsNow } from '../../domain/people/update-media-rights.ts'
import { inTransaction } from '../../platform/db/db.ts'
import type { Deps } from '../../platform/ports/deps.ts'
import type { App } from '../http/app-types.ts'
import { serve } from '../http/serve.ts'

/** A moderator's changes to the stage for everybody in the room: raised hands, and the large tile. */
export async function stageLiveRoutes(app: App, deps: Deps): Promise<void> {
  const { db, clock } = deps

  serve(app, live.lowerHand, async ({ params, holder }) => {
    const identities = await inTransaction(db, async (tx) => {
      const locked = await lockRoomAsParticipant(tx, clock, holder)
      return lowerHand(tx, locked, { identity: params.participant_id, by: holder })
    })
    return { data: { identities } }
  })

  serve(app, live.lowerAllHands, async ({ holder }) => {
    const identities = await inTransaction(db, async (tx) => {
      const locked = await lockRoomAsParticipant(tx, clock, holder)
      return lowerAllHands(tx, locked, holder)
    })
    return { data: { identities } }
  })

  serve(app, live.spotlightParticipant, async ({ params, holder }) => {
    const identity = params.participant_id
    await inTransaction(db, async (tx) => {
      const locked = await lockRoomAsParticipant(tx, clock, holder)
      await startSpotlight(tx, locked, { identity, by: holder })
    })
    return { data: { identity } }
  })

  serve(app, live.endSpotlight, async ({ holder }) => {
    await inTransaction(db, async (tx) => {
      const locked = await lockRoomAsParticipant(tx, clock, holder)
      await endSpotlight(tx, locked, holder)
    })
    return { data: { identity: null } }
  })

  async function decide(holder: TicketHolder, identity: string, isAllowed: boolean) {
    await inTransaction(db, async (tx) => {
      const locked = await lockRoomAsParticipant(tx, clock, holder)
      await allowScreen(tx, locked, { identity, isAllowed, by: holder })
    })
    // Before the answer: the panelist may begin then, or has ended.
    await updateMediaRightsNow(deps, holder.roomId)
    return { data: { participant_id: identity, may_share_screen: isAllowed } }
  }

  serve(app, live.allowScreenShare, ({ params, holder }) =>
    decide(holder, params.participant_id, true),
  )
  serve(app, live.withdrawScreenShare, ({ params, holder }) =>
    decide(holder, params.participant_id, false),
  )
}
