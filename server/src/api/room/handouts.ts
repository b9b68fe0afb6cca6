import { HandoutInRoomRequest } from '@interview-room/contract/handouts.ts'
import * as live from '@interview-room/contract/operations/live-moderation.ts'
import { addHandout } from '../../domain/handouts/add-handout.ts'
import { findPresentation, presentationFor } from '../../domain/handouts/find-presentation.ts'
import { pageOfHandouts } from '../../domain/handouts/page-of-handouts.ts'
import {
  type HandoutInRoom,
  hideHandout,
  movePlayback,
  showHandout,
} from '../../domain/handouts/present-in-room.ts'
import { presentHandout } from '../../domain/handouts/present.ts'
import type { AdmissionRoom } from '../../domain/people/participant.ts'
import { lockRoomAsParticipant } from '../../domain/people/require-holder.ts'
import type { TicketHolder } from '../../domain/people/ticket.ts'
import { inTransaction, type Tx } from '../../platform/db/db.ts'
import { ServiceError } from '../../platform/lib/service-error.ts'
import type { Deps } from '../../platform/ports/deps.ts'
import { readForms, receiving } from '../handout-form.ts'
import type { App } from '../http/app-types.ts'
import { serve } from '../http/serve.ts'

const NO_HANDOUTS = { items: [], next_cursor: null, has_more: false }

/** Handouts as those in the room see and show them. */
export async function handoutLiveRoutes(app: App, deps: Deps): Promise<void> {
  serve(app, live.listHandoutsInRoom, async ({ query, holder: { tenantId, room } }) => {
    const { session } = room
    if (session === null) return { data: NO_HANDOUTS }
    return { data: await pageOfHandouts(deps, query, tenantId, { ...session, isShown: true }) }
  })

  await app.register(async (forms: App) => addingRoute(forms, deps))

  serve(app, live.showHandout, async (call) => moderate(deps, call, showHandout))
  serve(app, live.hideHandout, async (call) => moderate(deps, call, hideHandout))
  serve(app, live.movePlayback, async (call) =>
    moderate(deps, call, (tx, key) => movePlayback(tx, key, call.body)),
  )
}

async function addingRoute(app: App, deps: Deps): Promise<void> {
  await readForms(app)

  serve(app, live.addHandoutInRoom, async (call) => {
    const { holder } = call
    const session = sessionOf(holder.room)
    const reading = { request: call, tenantId: holder.tenantId, schema: HandoutInRoomRequest }
    return receiving(deps, reading, async ({ title }, { upload }) => {
      if (upload === undefined) throw new Error('the schema lets through a form without a file')
      const added = await inTransaction(deps.db, async (tx) => {
        const locked = await lockRoomAsParticipant(tx, deps.clock, holder)
        return addHandout(tx, { ...locked, holder, sessionId: session.id }, { title, upload })
      })
      return { data: await presentHandout(deps, added, { ...session, isShown: true }) }
    })
  })
}

/** Throws 404 NOT_FOUND for the room of a connection test, which has no session and so no handouts. */
function sessionOf({ session }: AdmissionRoom): NonNullable<AdmissionRoom['session']> {
  if (session === null) throw new ServiceError('NOT_FOUND')
  return session
}

/** Changes what is shown, one at a time in a room; answers what is shown then. */
async function moderate(
  deps: Deps,
  { params, holder }: { params: { handout_id: string }; holder: TicketHolder },
  change: (tx: Tx, key: HandoutInRoom) => Promise<void>,
) {
  return inTransaction(deps.db, async (tx) => {
    const locked = await lockRoomAsParticipant(tx, deps.clock, holder)
    await change(tx, { ...locked, handoutId: params.handout_id })
    const presentation = await findPresentation(deps, tx, locked.roomId)
    return { data: presentationFor(holder.role, presentation) }
  })
}
