import { ErrorBody, success, Uuid } from '@interview-room/contract/envelope.ts'
import { CloseRoom, NewRoom, RoomBody } from '@interview-room/contract/rooms.ts'
import { Type } from 'typebox'
import type { Deps } from '../deps.ts'
import type { App } from '../http/app-types.ts'
import { parseDateTime } from '../http/date-time.ts'
import { succeed } from '../http/present.ts'
import { ServiceError } from '../lib/service-error.ts'
import { closeRoom } from './close-room.ts'
import { createRoom } from './create-room.ts'
import { deprecationHeaders } from './deprecated-engines.ts'
import { type NewSlot, settingsOf } from './new-room.ts'
import { presentRoom } from './present.ts'
import { findRoom } from './store.ts'

const RoomParams = Type.Object({ room_id: Uuid })
const RoomAnswer = success(RoomBody)

/** Part A, "Rooms". */
export async function roomControlRoutes(app: App, deps: Deps): Promise<void> {
  const { config, clock } = deps

  app.post(
    '/rooms',
    {
      schema: {
        tags: ['Rooms'],
        security: [{ apiKey: [] }],
        body: NewRoom,
        response: { 201: RoomAnswer, default: ErrorBody },
      },
    },
    async ({ body, tenantId }, reply) => {
      const slot = slotOf(body.session)
      const room = await createRoom(deps, { tenantId, settings: settingsOf(body), slot })
      void reply.code(201)
      void reply.header('location', `/api/v1/rooms/${room.id}`)
      void reply.headers(deprecationHeaders(room.transcriptionService))
      return succeed(presentRoom(room, { config, now: clock() }))
    },
  )

  app.get(
    '/rooms/:room_id',
    {
      schema: {
        tags: ['Rooms'],
        security: [{ apiKey: [] }],
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

  app.post(
    '/rooms/:room_id/close',
    {
      schema: {
        tags: ['Rooms'],
        security: [{ apiKey: [] }],
        params: RoomParams,
        body: CloseRoom,
        response: { 200: RoomAnswer, default: ErrorBody },
      },
    },
    async ({ params, body, tenantId }) => {
      const reason = body?.reason ?? null
      const room = await closeRoom(deps, { tenantId, roomId: params.room_id, reason })
      return succeed(presentRoom(room, { config, now: clock() }))
    },
  )
}

function slotOf(session: NewRoom['session']): NewSlot {
  return {
    externalType: session.external_type,
    externalId: session.external_id,
    name: session.name ?? null,
    startsAt: checkedDateTime(session.starts_at),
    endsAt: checkedDateTime(session.ends_at),
  }
}

function checkedDateTime(text: string): Date {
  const date = parseDateTime(text)
  if (date === undefined) throw new Error('the schema lets through what the parser refuses')
  return date
}
