import type { MuteBody } from '@interview-room/contract/live-moderation.ts'
import * as live from '@interview-room/contract/operations/live-moderation.ts'
import * as people from '@interview-room/contract/operations/live-people.ts'
import {
  banParticipant,
  disconnect,
  isSamePerson,
  removeBanned,
} from '../../domain/people/ban-participant.ts'
import { muteEveryone } from '../../domain/people/mute-everyone.ts'
import { muteParticipant } from '../../domain/people/mute-participant.ts'
import { presentBan } from '../../domain/people/present-participant.ts'
import { removeParticipant } from '../../domain/people/remove-participant.ts'
import { removeVisitor } from '../../domain/people/remove-visitor.ts'
import { lockRoomAsParticipant } from '../../domain/people/require-holder.ts'
import { closeInTransaction, emptyMediaRoom } from '../../domain/room-end/close-room.ts'
import { inTransaction } from '../../platform/db/db.ts'
import { refuseField } from '../../platform/lib/service-error.ts'
import { type Deps, urgent } from '../../platform/ports/deps.ts'
import type { App } from '../http/app-types.ts'
import type { Call } from '../http/route.ts'
import { serve } from '../http/serve.ts'

/** A moderator's actions on others from inside the room. */
export async function moderationLiveRoutes(app: App, deps: Deps): Promise<void> {
  const { clock } = deps
  const urgently = urgent(deps)

  serve(app, live.banFromInside, {
    handle: async (call) => {
      const { holder } = call
      const ban = banOf(call)
      if (ban.participantId === holder.participantId) throw refuseSelf()
      await inTransaction(urgently.db, async (tx) => {
        const locked = await lockRoomAsParticipant(tx, clock, holder)
        // The ban covers every role.
        if (await isSamePerson(tx, ban, holder.mediaIdentity)) throw refuseSelf()
        const removal = { ...ban, identity: ban.participantId, now: clock() }
        const wasVisitor = await removeVisitor(tx, locked, removal)
        if (!wasVisitor) await banParticipant(tx, ban, clock)
      })
      return { data: presentBan(ban) }
    },
    // The ban holds, however long the provider takes.
    afterwards: (call) => removeBanned(urgently, banOf(call)),
  })

  serve(app, live.muteParticipant, async ({ params, holder: moderator }) => {
    const identity = params.participant_id
    await muteParticipant(deps, { moderator, identity })
    const data: MuteBody = { participant_id: identity, status: 'mute_requested' }
    return { data }
  })

  serve(app, people.removeFromInside, async ({ params, holder }) => {
    const identity = params.participant_id
    const connected = await inTransaction(urgently.db, async (tx) => {
      const locked = await lockRoomAsParticipant(tx, clock, holder)
      const { roomId } = holder
      const isSelf = await isSamePerson(
        tx,
        { roomId, participantId: identity },
        holder.mediaIdentity,
      )
      if (isSelf || identity === holder.mediaIdentity) throw refuseSelf()
      return removeParticipant(tx, locked, { identity, by: holder, now: clock() })
    })
    const identities = connected === undefined ? [] : [connected]
    await disconnect(urgently, { roomId: holder.roomId, identities })
    return { data: { participant_id: identity, status: 'removed' } }
  })

  serve(app, people.muteEveryone, async ({ holder }) => {
    const identities = await muteEveryone(deps, holder)
    return { data: { identities, status: 'mute_requested' } }
  })

  serve(app, live.closeFromInside, async ({ body, holder }) => {
    const { tenantId, roomId, participantId: by } = holder
    await inTransaction(urgently.db, async (tx) => {
      await lockRoomAsParticipant(tx, clock, holder)
      await closeInTransaction(tx, { tenantId, roomId, reason: body?.reason ?? null, by }, clock)
    })
    await emptyMediaRoom(urgently, roomId)
    return { data: { status: 'closed' } }
  })
}

function banOf({ params, body, holder }: Call<typeof live.banFromInside>) {
  const { tenantId, roomId } = holder
  return {
    tenantId,
    roomId,
    participantId: params.participant_id,
    reason: body.reason,
    by: holder.participantId,
  }
}

function refuseSelf() {
  return refuseField('VALIDATION_ERROR', {
    field: 'participant_id',
    code: 'NOT_ALLOWED',
    message: 'must be another participant',
  })
}
