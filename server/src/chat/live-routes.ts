import { ChatStampBody } from '@interview-room/contract/chat.ts'
import { ErrorBody, PageQuery, page, Uuid } from '@interview-room/contract/envelope.ts'
import { Type } from 'typebox'
import type { Deps } from '../deps.ts'
import type { App } from '../http/app-types.ts'
import { succeed } from '../http/present.ts'
import { checkCaller } from '../live/check-caller.ts'
import { createTickets } from '../live/ticket.ts'
import { stampsOf } from './stamps.ts'

/** The chat of the participant plane. */
export async function chatLiveRoutes(app: App, deps: Deps): Promise<void> {
  const tickets = createTickets(deps)

  app.get(
    '/rooms/:room_id/chat-stamps',
    {
      schema: {
        tags: ['Participant plane'],
        params: Type.Object({ room_id: Uuid }),
        querystring: Type.Object(PageQuery, { additionalProperties: false }),
        response: { 200: page(ChatStampBody), default: ErrorBody },
      },
    },
    async ({ headers, params, query }) => {
      const roomId = params.room_id
      const { authorization } = headers
      const { tenantId, role } = await checkCaller(deps, tickets, { authorization, roomId })
      const scope = { list: 'chat-stamps', tenantId, filters: { roomId, role } }
      const stamps = stampsOf(role).map((stamp, at) => ({ stamp, position: at + 1 }))
      return succeed(
        await deps.paging.page(query, scope, {
          rows: async ({ after, limit }) => stamps.slice(Number(after ?? 0)).slice(0, limit + 1),
          positionOf: ({ position }) => String(position),
          present: ({ stamp }) => stamp,
        }),
      )
    },
  )
}
