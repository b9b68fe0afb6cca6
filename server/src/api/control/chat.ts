import * as rooms from '@interview-room/contract/operations/rooms.ts'
import { findRoomKey } from '../../domain/booking/read-bookings.ts'
import { listMessages } from '../../domain/chat/list-messages.ts'
import { presentMessage } from '../../domain/chat/present.ts'
import { purgeMessages } from '../../domain/chat/purge-messages.ts'
import { ServiceError } from '../../platform/lib/service-error.ts'
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
    handle: async ({ params, query, tenantId, apiKeyId }, tx) => {
      const { visibility } = query
      await purgeMessages(tx, { tenantId, roomId: params.room_id, requester: apiKeyId, visibility })
    },
  })
}
