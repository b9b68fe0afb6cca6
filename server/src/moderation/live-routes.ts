import { ErrorBody, nullable, success, Uuid } from '@interview-room/contract/envelope.ts'
import { ClosedBody, CloseFromInside, MuteBody } from '@interview-room/contract/live-moderation.ts'
import { BanBody, BanRequest } from '@interview-room/contract/participants.ts'
import { Type } from 'typebox'
import { inTransaction } from '../db/db.ts'
import { type Deps, urgent } from '../deps.ts'
import type { App } from '../http/app-types.ts'
import { succeed } from '../http/present.ts'
import { refuseField } from '../lib/service-error.ts'
import { holdRoomInside, requireHolder } from '../live/require-holder.ts'
import { banParticipant, isSamePerson, putOut } from '../participants/ban-participant.ts'
import { presentBan } from '../participants/present.ts'
import { removeVisitor } from '../participants/remove-visitor.ts'
import { closeRoom } from '../rooms/close-room.ts'
import { muteParticipant } from './mute-participant.ts'

const TAGS = ['Participant plane']
const ParticipantParams = Type.Object({ room_id: Uuid, participant_id: Uuid })

/** What a moderator does to others from inside the room. */
export async function moderationLiveRoutes(app: App, deps: Deps): Promise<void> {
  banRoute(app, urgent(deps))
  muteRoute(app, deps)
  closeRoute(app, urgent(deps))
}

function banRoute(app: App, deps: Deps): void {
  app.post(
    '/rooms/:room_id/live/participants/:participant_id/ban',
    {
      schema: {
        tags: TAGS,
        params: ParticipantParams,
        body: BanRequest,
        response: { 200: success(BanBody), default: ErrorBody },
      },
      config: { isUrgent: true },
    },
    async (request, reply) => {
      const holder = await requireHolder(deps, request, 'canBan')
      const participantId = request.params.participant_id
      if (participantId === holder.participantId) throw refuseSelf()
      const { tenantId, roomId } = holder
      const ban = { tenantId, roomId, participantId, reason: request.body.reason }
      await inTransaction(deps.db, async (tx) => {
        const held = await holdRoomInside(tx, deps.clock, holder)
        // In whatever role.
        if (await isSamePerson(tx, ban, holder.mediaIdentity)) throw refuseSelf()
        const removal = { identity: participantId, reason: ban.reason, now: deps.clock() }
        const wasVisitor = await removeVisitor(tx, held, removal)
        if (!wasVisitor) await banParticipant(tx, ban, deps.clock)
      })
      void reply.send(succeed(presentBan(ban)))
      // Behind the answer: the ban holds, however long the provider takes.
      await putOut(deps, ban)
      return reply
    },
  )
}

function muteRoute(app: App, deps: Deps): void {
  app.post(
    '/rooms/:room_id/live/participants/:participant_id/mute',
    {
      schema: {
        tags: TAGS,
        params: ParticipantParams,
        response: { 200: success(MuteBody), default: ErrorBody },
      },
    },
    async (request) => {
      const moderator = await requireHolder(deps, request, 'canModerate')
      const participantId = request.params.participant_id
      await muteParticipant(deps, { moderator, identity: participantId })
      const body: MuteBody = { participant_id: participantId, status: 'mute_requested' }
      return succeed(body)
    },
  )
}

function closeRoute(app: App, deps: Deps): void {
  app.post(
    '/rooms/:room_id/live/close',
    {
      schema: {
        tags: TAGS,
        params: Type.Object({ room_id: Uuid }),
        body: nullable(CloseFromInside),
        response: { 200: success(ClosedBody), default: ErrorBody },
      },
      config: { isUrgent: true },
    },
    async (request) => {
      const holder = await requireHolder(deps, request, 'canClose')
      const { tenantId, roomId } = holder
      await closeRoom(deps, { tenantId, roomId, reason: request.body?.reason ?? null })
      const body: ClosedBody = { status: 'closed' }
      return succeed(body)
    },
  )
}

function refuseSelf() {
  return refuseField('VALIDATION_ERROR', {
    field: 'participant_id',
    code: 'NOT_ALLOWED',
    message: 'is yourself',
  })
}
