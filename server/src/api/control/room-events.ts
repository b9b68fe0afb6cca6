import { listRoomEvents } from '@interview-room/contract/operations/rooms.ts'
import { findRoomKey } from '../../domain/booking/read-bookings.ts'
import { presentRoomEvent } from '../../domain/room-log/present-room-event.ts'
import * as logs from '../../domain/room-log/read-logs.ts'
import { ServiceError } from '../../platform/lib/service-error.ts'
import type { Deps } from '../../platform/ports/deps.ts'
import type { App } from '../http/app-types.ts'
import { serve } from '../http/serve.ts'

/** Part A, "RoomEvent". */
export async function roomEventControlRoutes(
  app: App,
  { db, paging }: Pick<Deps, 'db' | 'paging'>,
): Promise<void> {
  serve(app, listRoomEvents, async ({ params, query, tenantId }) => {
    const roomId = params.room_id
    const room = await findRoomKey(db, { tenantId, roomId })
    if (room === undefined) throw new ServiceError('NOT_FOUND')
    const eventType = query.event_type
    const scope = { list: 'room-events', tenantId, filters: { roomId, eventType } }
    const data = await paging.page(query, scope, {
      rows: (request) => logs.listRoomEvents(db, { roomId, eventType, ...request }),
      positionOf: (event) => String(event.seq),
      present: presentRoomEvent,
    })
    return { data }
  })
}
