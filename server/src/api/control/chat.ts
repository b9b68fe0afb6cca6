import * as rooms from '@interview-room/contract/operations/rooms.ts'
import { findRoomKey } from '../../domain/booking/read-bookings.ts'
import { listMessages } from '../../domain/chat/list-messages.ts'
import { presentMessage } from '../../domain/chat/present.ts'
import { purgeMessages } from '../../domain/chat/purge-messages.ts'
import { refuseField, ServiceError } from '../../platform/lib/service-error.ts'
import type { Deps } from '../../platform/ports/deps.ts'
import type { App } from '../http/app-types.ts'
import { serveOnce } from '../http/serve-once.ts'
import { serve } from '../http/serve.ts'

/** Part A, "Chat". */
export async function chatControlRoutes(
  app: App,
  deps: Pick<Deps, 'db' | 'urgentDb' | 'paging' | 'storage' | 'config'>,
): Promise<void> {
  const { db, paging } = deps

  serve(app, rooms.listChatMessages, async ({ params, query, tenantId }) => {
    const roomId = params.room_id
    const room = await findRoomKey(db, { tenantId, roomId })
    if (room === undefined) throw new ServiceError('NOT_FOUND')
    const { visibility } = query
    const scope = { list: 'chat-messages', tenantId, filters: { roomId, visibility } }
    const data = await paging.page(query, scope, {
      rows: (request) => listMessages(deps, { roomId, visibility, ...request }),
      positionOf: (message) => String(message.seq),
      present: presentMessage,
    })
    return { data }
  })

  serveOnce({ app, deps }, rooms.purgeChatMessages, {
    handle: async ({ params, query, body, tenantId, apiKeyId }, tx) => {
      refuseFilterInBody(body)
      const { visibility } = query
      await purgeMessages(tx, { tenantId, roomId: params.room_id, requester: apiKeyId, visibility })
    },
  })
}

/**
 * A filter that is sent in the body would be ignored, and everything deleted. Throws 400 INVALID_REQUEST for a body
 * that says anything.
 */
function refuseFilterInBody(body: unknown): void {
  if (body === undefined || body === null) return
  const isObject = typeof body === 'object' && !Array.isArray(body)
  const [field] = isObject ? Object.keys(body) : ['body']
  if (field === undefined) return
  throw refuseField('INVALID_REQUEST', {
    field,
    code: 'UNKNOWN_FIELD',
    message: 'is not known here: visibility is a parameter of the query',
  })
}
