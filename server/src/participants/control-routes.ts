import { ErrorBody, page, success, Uuid } from '@interview-room/contract/envelope.ts'
import {
  BanBody,
  BanRequest,
  ParticipantBody,
  ParticipantQuery,
} from '@interview-room/contract/participants.ts'
import { Type } from 'typebox'
import { type Deps, urgent } from '../deps.ts'
import type { App } from '../http/app-types.ts'
import { sendOnce } from '../http/once.ts'
import { succeed } from '../http/present.ts'
import { ServiceError } from '../lib/service-error.ts'
import { findRoomKey } from '../rooms/find-room-key.ts'
import { banParticipant, putOut } from './ban-participant.ts'
import { presentBan, presentParticipant } from './present.ts'
import { listParticipants } from './store.ts'

const COMMON = { tags: ['Participants'] }

/** Part A, "Participants". */
export async function participantControlRoutes(
  app: App,
  deps: Pick<Deps, 'db' | 'urgentDb' | 'media' | 'clock' | 'config' | 'paging' | 'log'>,
): Promise<void> {
  const { db, paging } = deps

  app.get(
    '/rooms/:room_id/participants',
    {
      schema: {
        ...COMMON,
        params: Type.Object({ room_id: Uuid }),
        querystring: ParticipantQuery,
        response: { 200: page(ParticipantBody), default: ErrorBody },
      },
    },
    async ({ params, query, tenantId }) => {
      const roomId = params.room_id
      const room = await findRoomKey(db, { tenantId, roomId })
      if (room === undefined) throw new ServiceError('NOT_FOUND')
      const { role, status } = query
      const scope = { list: 'participants', tenantId, filters: { roomId, role, status } }
      const isBanned = status === undefined ? undefined : status === 'banned'
      return succeed(
        await paging.page(query, scope, {
          rows: (request) => listParticipants(db, { roomId, role, isBanned, ...request }),
          positionOf: (row) => String(row.seq),
          present: presentParticipant,
        }),
      )
    },
  )

  app.post(
    '/rooms/:room_id/participants/:participant_id/ban',
    {
      schema: {
        ...COMMON,
        params: Type.Object({ room_id: Uuid, participant_id: Uuid }),
        body: BanRequest,
        response: { 200: success(BanBody), default: ErrorBody },
      },
      config: { isUrgent: true },
    },
    async (request, reply) => {
      const { params, body, tenantId } = request
      const { reason } = body
      const ban = { tenantId, roomId: params.room_id, participantId: params.participant_id, reason }
      await sendOnce(urgent(deps), { request, reply }, async (tx) => {
        await banParticipant(tx, ban, deps.clock)
        return { status: 200, data: presentBan(ban) }
      })
      // Behind the answer: the ban holds, however long the provider takes.
      await putOut(deps, ban)
      return reply
    },
  )
}
