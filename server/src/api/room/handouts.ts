import * as live from '@interview-room/contract/operations/live-moderation.ts'
import { findPresentation, presentationFor } from '../../domain/handouts/find-presentation.ts'
import { pageOfHandouts } from '../../domain/handouts/page-of-handouts.ts'
import {
  type HandoutInRoom,
  hideHandout,
  movePlayback,
  showHandout,
} from '../../domain/handouts/present-in-room.ts'
import { lockRoomAsParticipant } from '../../domain/people/require-holder.ts'
import type { TicketHolder } from '../../domain/people/ticket.ts'
import { inTransaction, type Tx } from '../../platform/db/db.ts'
import type { Deps } from '../../platform/ports/deps.ts'
import type { App } from '../http/app-types.ts'
import { serve } from '../http/serve.ts'

const NO_HANDOUTS = { items: [], next_cursor: null, has_more: false }

/** Handouts as those in the room see and show them. */
export async function handoutLiveRoutes(app: App, deps: Deps): Promise<void> {
  serve(app, live.listHandoutsInRoom, async ({ query, holder: { tenantId, room } }) => {
    const { session } = room
    if (session === null) return { data: NO_HANDOUTS }
    return { data: await pageOfHandouts(deps, { query, tenantId, session }) }
  })

  serve(app, live.showHandout, async (call) => moderate(deps, call, showHandout))
  serve(app, live.hideHandout, async (call) => moderate(deps, call, hideHandout))
  serve(app, live.movePlayback, async (call) =>
    moderate(deps, call, (tx, key) => movePlayback(tx, key, call.body)),
  )
}

interface HandoutCall {
  params: { handout_id: string }
  holder: TicketHolder
}

/** Changes what is shown, one at a time in a room; answers what is shown then. */
async function moderate(
  deps: Deps,
  { params, holder }: HandoutCall,
  change: (tx: Tx, key: HandoutInRoom) => Promise<void>,
) {
  return inTransaction(deps.db, async (tx) => {
    const locked = await lockRoomAsParticipant(tx, deps.clock, holder)
    await change(tx, { ...locked, handoutId: params.handout_id })
    const presentation = await findPresentation(deps, tx, locked.roomId)
    return { data: presentationFor(holder.role, presentation) }
  })
}
