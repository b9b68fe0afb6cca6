import { ErrorBody, oneOf, PageQuery, page, Uuid } from '@interview-room/contract/envelope.ts'
import { ParticipantBody } from '@interview-room/contract/participants.ts'
import { PARTICIPANT_STATUSES, ROLES } from '@interview-room/contract/vocabulary.ts'
import { Type } from 'typebox'
import type { Deps } from '../deps.ts'
import type { App } from '../http/app-types.ts'
import { succeed } from '../http/present.ts'
import { ServiceError } from '../lib/service-error.ts'
import { findRoomKey } from '../rooms/find-room-key.ts'
import { presentParticipant } from './present.ts'
import { listParticipants } from './store.ts'

/** Part A, "Participants". */
export async function participantControlRoutes(
  app: App,
  { db, paging }: Pick<Deps, 'db' | 'paging'>,
): Promise<void> {
  app.get(
    '/rooms/:room_id/participants',
    {
      schema: {
        tags: ['Participants'],
        params: Type.Object({ room_id: Uuid }),
        querystring: Type.Object(
          {
            role: Type.Optional(oneOf(ROLES)),
            status: Type.Optional(oneOf(PARTICIPANT_STATUSES)),
            ...PageQuery,
          },
          { additionalProperties: false },
        ),
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
}
