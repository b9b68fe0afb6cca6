import { LanguageCode, oneOf, Uuid } from '@interview-room/contract/envelope.ts'
import {
  DISPLAY_NAME_MAX,
  PAGE_LIMIT_MAX,
  SESSION_NAME_MAX,
} from '@interview-room/contract/limits.ts'
import {
  ARCHIVE_MODES,
  ARCHIVE_RESOLUTIONS,
  ROLES,
  type Role,
  TRANSCRIPTION_ENGINES,
} from '@interview-room/contract/vocabulary.ts'
import type { FastifyInstance } from 'fastify'
import { Type } from 'typebox'
import type { BookedRooms } from './booked-rooms.ts'
import type { Booking, TenantClient } from './tenant-client.ts'

interface RoomRouteParts {
  tenant: TenantClient
  rooms: BookedRooms
}

const STRICT = { additionalProperties: false } as const
const FULL_PAGE = { limit: PAGE_LIMIT_MAX }
const RoomParams = Type.Object({ room_id: Uuid })
const NewBooking = Type.Object(
  {
    name: Type.String({ maxLength: SESSION_NAME_MAX }),
    starts_in_min: Type.Integer({ minimum: -60, maximum: 60 * 24 * 30 }),
    minutes: Type.Integer({ minimum: 1, maximum: 60 * 24 }),
    archive_mode: Type.Optional(oneOf(ARCHIVE_MODES)),
    archive_resolution: Type.Optional(oneOf(ARCHIVE_RESOLUTIONS)),
    transcription_language: Type.Optional(LanguageCode),
    transcription_service: Type.Optional(oneOf(TRANSCRIPTION_ENGINES)),
  },
  STRICT,
)
const NewLink = Type.Object(
  {
    role: Type.Unsafe<Role>({ type: 'string', enum: [...ROLES] }),
    name: Type.String({ minLength: 1, maxLength: DISPLAY_NAME_MAX }),
  },
  STRICT,
)

/** Booking rooms, entering and closing them, as the demo tenant. */
export function roomRoutes(
  app: FastifyInstance,
  prefix: string,
  { tenant, rooms }: RoomRouteParts,
): void {
  app.get(`${prefix}/rooms`, async () => {
    const found = await Promise.allSettled(
      rooms.ids().map((id) => tenant.api.getRoom({ params: { room_id: id } })),
    )
    return { rooms: found.flatMap((room) => (room.status === 'fulfilled' ? [room.value] : [])) }
  })

  app.post<{ Body: Booking }>(
    `${prefix}/rooms`,
    { schema: { body: NewBooking } },
    async ({ body }) => {
      const room = await tenant.book(body)
      rooms.add(room.id)
      return { room }
    },
  )

  app.get<{ Params: { room_id: string } }>(
    `${prefix}/rooms/:room_id`,
    { schema: { params: RoomParams } },
    async ({ params }) => {
      const { api } = tenant
      const room = await api.getRoom({ params })
      const [session, participants, entries] = await Promise.all([
        room.session === null ? null : api.getSession({ params: { session_id: room.session.id } }),
        api.listParticipants({ params, query: FULL_PAGE }),
        api.listEntryHistories({ params, query: FULL_PAGE }),
      ])
      return { room, session, participants: participants.items, entries: entries.items }
    },
  )

  app.post<{ Params: { room_id: string }; Body: { role: Role; name: string } }>(
    `${prefix}/rooms/:room_id/links`,
    { schema: { params: RoomParams, body: NewLink } },
    async ({ params, body }) => ({ url: await tenant.link({ roomId: params.room_id, ...body }) }),
  )

  app.post<{ Params: { room_id: string } }>(
    `${prefix}/rooms/:room_id/close`,
    { schema: { params: RoomParams } },
    async ({ params }) => {
      const reason = 'closed in the playground'
      return { room: await tenant.api.closeRoom({ params, body: { reason } }) }
    },
  )
}
