import { ErrorBody, success, Uuid } from '@interview-room/contract/envelope.ts'
import {
  CloseRoom,
  NewRoom,
  RoomBody,
  RoomPatch,
  RoomSummary,
} from '@interview-room/contract/rooms.ts'
import { Type } from 'typebox'
import { type Deps, urgent } from '../deps.ts'
import type { App } from '../http/app-types.ts'
import { checkedDateTime } from '../http/date-time.ts'
import { sendOnceLeased } from '../http/once.ts'
import { succeed } from '../http/present.ts'
import { cleanFreeText } from '../lib/free-text.ts'
import { ServiceError } from '../lib/service-error.ts'
import type { NewSlot } from '../sessions/slot.ts'
import { closeRoom } from './close-room.ts'
import { createRoom } from './create-room.ts'
import { deprecationHeaders } from './deprecated-engines.ts'
import { settingsOf } from './new-room.ts'
import { patchRoom } from './patch-room.ts'
import { presentPatched, presentRoom } from './present.ts'
import { findRoom } from './store.ts'

const COMMON = { tags: ['Rooms'] }
const RoomParams = Type.Object({ room_id: Uuid })
const RoomAnswer = success(RoomBody)

/** Part A, "Rooms". */
export async function roomControlRoutes(app: App, deps: Deps): Promise<void> {
  bookingRoute(app, deps)
  roomRoutes(app, deps)
}

function bookingRoute(app: App, deps: Deps): void {
  const { config, clock } = deps
  app.post(
    '/rooms',
    {
      schema: {
        ...COMMON,
        body: NewRoom,
        response: { 201: RoomAnswer, default: ErrorBody },
      },
    },
    async (request, reply) => {
      const { body, tenantId } = request
      const settings = settingsOf(body, config.transcription.languages)
      const booking = { tenantId, settings, slot: slotOf(body.session) }
      return sendOnceLeased(deps, { request, reply }, (keep) =>
        createRoom(deps, booking, (tx, room) =>
          keep(tx, {
            status: 201,
            headers: {
              location: `/api/v1/rooms/${room.id}`,
              ...deprecationHeaders(room.transcriptionService),
            },
            data: presentRoom(room, { config, now: clock() }),
          }),
        ),
      )
    },
  )
}

function roomRoutes(app: App, deps: Deps): void {
  const { config, clock } = deps

  app.get(
    '/rooms/:room_id',
    {
      schema: {
        ...COMMON,
        params: RoomParams,
        response: { 200: RoomAnswer, default: ErrorBody },
      },
    },
    async ({ params, tenantId }) => {
      const room = await findRoom(deps.db, { tenantId, roomId: params.room_id })
      if (room === undefined) throw new ServiceError('NOT_FOUND')
      return succeed(presentRoom(room, { config, now: clock() }))
    },
  )

  app.patch(
    '/rooms/:room_id',
    {
      schema: {
        ...COMMON,
        params: RoomParams,
        body: RoomPatch,
        response: { 200: success(RoomSummary), default: ErrorBody },
      },
    },
    async ({ params, body, tenantId }, reply) => {
      const room = await patchRoom(deps, { tenantId, roomId: params.room_id }, body)
      const service = body.transcription_service
      if (service !== undefined) void reply.headers(deprecationHeaders(service))
      return succeed(presentPatched(room, body))
    },
  )

  app.post(
    '/rooms/:room_id/close',
    {
      schema: {
        ...COMMON,
        params: RoomParams,
        body: CloseRoom,
        response: { 200: RoomAnswer, default: ErrorBody },
      },
      config: { isUrgent: true },
    },
    async ({ params, body, tenantId }) => {
      const reason = body?.reason ?? null
      const room = await closeRoom(urgent(deps), { tenantId, roomId: params.room_id, reason })
      return succeed(presentRoom(room, { config, now: clock() }))
    },
  )
}

function slotOf(session: NewRoom['session']): NewSlot {
  return {
    externalType: session.external_type,
    externalId: String(session.external_id),
    name: session.name == null ? null : cleanFreeText(session.name),
    startsAt: checkedDateTime(session.starts_at),
    endsAt: checkedDateTime(session.ends_at),
  }
}
