import * as live from '@interview-room/contract/operations/live-people.ts'
import { lowerAllHands, lowerHand } from '../../domain/people/lower-hands.ts'
import { lockRoomAsParticipant } from '../../domain/people/require-holder.ts'
import { endSpotlight, startSpotlight } from '../../domain/people/spotlight.ts'
import { inTransaction } from '../../platform/db/db.ts'
import type { Deps } from '../../platform/ports/deps.ts'
import type { App } from '../http/app-types.ts'
import { serve } from '../http/serve.ts'

/** What a moderator changes for everybody in the room: whose hand is up, and who is large. */
export async function stageLiveRoutes(app: App, { db, clock }: Deps): Promise<void> {
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
}
