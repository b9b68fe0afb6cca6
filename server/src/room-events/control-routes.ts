import { ErrorBody, page, Uuid } from '@interview-room/contract/envelope.ts'
import { RoomEventBody, RoomEventQuery } from '@interview-room/contract/room-events.ts'
import { Type } from 'typebox'
import type { Deps } from '../deps.ts'
import type { App } from '../http/app-types.ts'
import { succeed } from '../http/present.ts'
import { ServiceError } from '../lib/service-error.ts'
import { findRoomKey } from '../rooms/find-room-key.ts'
import { presentRoomEvent } from './present.ts'
import { listRoomEvents } from './store.ts'

/** Part A, "RoomEvent". */
export async function roomEventControlRoutes(
  app: App,
  { db, paging }: Pick<Deps, 'db' | 'paging'>,
): Promise<void> {
  app.get(
    '/rooms/:room_id/room-events',
    {
      schema: {
        tags: ['RoomEvent'],
        params: Type.Object({ room_id: Uuid }),
        querystring: RoomEventQuery,
        response: { 200: page(RoomEventBody), default: ErrorBody },
      },
    },
    async ({ params, query, tenantId }) => {
      const roomId = params.room_id
      const room = await findRoomKey(db, { tenantId, roomId })
      if (room === undefined) throw new ServiceError('NOT_FOUND')
      const eventType = query.event_type
      const scope = { list: 'room-events', tenantId, filters: { roomId, eventType } }
      return succeed(
        await paging.page(query, scope, {
          rows: (request) => listRoomEvents(db, { roomId, eventType, ...request }),
          positionOf: (event) => String(event.seq),
          present: presentRoomEvent,
        }),
      )
    },
  )
}
