import * as rooms from '@interview-room/contract/operations/rooms.ts'
import type { RoomRequest } from '@interview-room/contract/rooms.ts'
import { completeRoom, provisionRoom, undoRoom } from '../../domain/booking/create-room.ts'
import { deprecationHeaders } from '../../domain/booking/deprecated-engines.ts'
import { settingsOf } from '../../domain/booking/new-room.ts'
import { patchRoom } from '../../domain/booking/patch-room.ts'
import { presentPatched, presentRoom } from '../../domain/booking/present-room.ts'
import { readRoom } from '../../domain/booking/read-bookings.ts'
import type { NewSlot } from '../../domain/booking/slot.ts'
import { listRooms, placeOfRoom, presentRoomOverview } from '../../domain/monitoring/list-rooms.ts'
import { closeRoom } from '../../domain/room-end/close-room.ts'
import { checkedDateTime } from '../../platform/lib/date-time.ts'
import { cleanFreeText } from '../../platform/lib/free-text.ts'
import { type Deps, urgent } from '../../platform/ports/deps.ts'
import type { App } from '../http/app-types.ts'
import { serveOnceLeased } from '../http/serve-once.ts'
import { serve } from '../http/serve.ts'
import { checkedPeriod } from './checked-period.ts'

/** Part A, "Rooms". */
export async function roomControlRoutes(app: App, deps: Deps): Promise<void> {
  const { config, clock } = deps

  serveOnceLeased({ app, deps }, rooms.createRoom, {
    prepare: async ({ body, tenantId, tenantLimits }) => {
      const settings = settingsOf(body, config.transcription.languages)
      const slot = slotOf(body.session)
      return provisionRoom(deps, { tenantId, tenantLimits, settings, slot })
    },
    handle: async (_call, tx, { prepared, isLast }) => {
      const room = await completeRoom(tx, prepared, { isLast })
      return {
        headers: {
          location: `/api/v1/rooms/${room.id}`,
          ...deprecationHeaders(room.transcriptionService),
        },
        data: presentRoom(room, { config, now: clock() }),
      }
    },
    undo: (provisioned) => undoRoom(deps, provisioned),
  })

  serve(app, rooms.getRoom, async ({ params, tenantId }) => {
    const room = await readRoom(deps.db, { tenantId, roomId: params.room_id })
    return { data: presentRoom(room, { config, now: clock() }) }
  })

  serve(app, rooms.listRooms, async ({ query, tenantId }) => {
    const { from, to } = query
    const period = { tenantId, ...checkedPeriod(query) }
    const scope = { list: 'rooms', tenantId, filters: { from, to } }
    const now = clock()
    const data = await deps.paging.page(query, scope, {
      rows: (request) => listRooms(deps.db, { ...period, ...request }),
      positionOf: placeOfRoom,
      present: (row) => presentRoomOverview(row, { config, now }),
    })
    return { data }
  })

  serve(app, rooms.patchRoom, async ({ params, body, tenantId }) => {
    const room = await patchRoom(deps, { tenantId, roomId: params.room_id }, body)
    const service = body.transcription_service
    return {
      ...(service !== undefined && { headers: deprecationHeaders(service) }),
      data: presentPatched(room, body),
    }
  })

  serve(app, rooms.closeRoom, async ({ params, body, tenantId }) => {
    const reason = body?.reason ?? null
    const room = await closeRoom(urgent(deps), { tenantId, roomId: params.room_id, reason })
    return { data: presentRoom(room, { config, now: clock() }) }
  })
}

function slotOf(session: RoomRequest['session']): NewSlot {
  return {
    externalType: session.external_type,
    externalId: String(session.external_id),
    name: session.name == null ? null : cleanFreeText(session.name),
    startsAt: checkedDateTime(session.starts_at),
    endsAt: checkedDateTime(session.ends_at),
  }
}
