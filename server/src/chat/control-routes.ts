import { ChatMessageBody, ChatMessageQuery, ChatPurgeQuery } from '@interview-room/contract/chat.ts'
import { ErrorBody, page, Uuid } from '@interview-room/contract/envelope.ts'
import { Type } from 'typebox'
import type { Deps } from '../deps.ts'
import type { App } from '../http/app-types.ts'
import { sendOnce } from '../http/once.ts'
import { succeed } from '../http/present.ts'
import { ServiceError } from '../lib/service-error.ts'
import { findRoomKey } from '../rooms/find-room-key.ts'
import { presentMessage } from './present.ts'
import { purgeMessages } from './purge-messages.ts'
import { signAttachments } from './sign-attachments.ts'
import { listMessages } from './store.ts'

const COMMON = {
  tags: ['Chat'],
  params: Type.Object({ room_id: Uuid }),
}

/** Part A, "Chat". */
export async function chatControlRoutes(
  app: App,
  deps: Pick<Deps, 'db' | 'paging' | 'storage' | 'config'>,
): Promise<void> {
  const { db, paging } = deps

  app.get(
    '/rooms/:room_id/chat-messages',
    {
      schema: {
        ...COMMON,
        querystring: ChatMessageQuery,
        response: { 200: page(ChatMessageBody), default: ErrorBody },
      },
    },
    async ({ params, query, tenantId }) => {
      const roomId = params.room_id
      const room = await findRoomKey(db, { tenantId, roomId })
      if (room === undefined) throw new ServiceError('NOT_FOUND')
      const { visibility } = query
      const scope = { list: 'chat-messages', tenantId, filters: { roomId, visibility } }
      return succeed(
        await paging.page(query, scope, {
          rows: async (request) =>
            signAttachments(deps, await listMessages(db, { roomId, visibility, ...request })),
          positionOf: (message) => String(message.seq),
          present: presentMessage,
        }),
      )
    },
  )

  app.delete(
    '/rooms/:room_id/chat-messages',
    {
      schema: {
        ...COMMON,
        querystring: ChatPurgeQuery,
        response: { 204: Type.Null(), default: ErrorBody },
      },
    },
    async (request, reply) => {
      const { params, query, tenantId, apiKeyId } = request
      const purge = { tenantId, roomId: params.room_id, requester: apiKeyId, ...query }
      return sendOnce(deps, { request, reply }, async (tx) => {
        await purgeMessages(tx, { visibility: undefined, ...purge })
        return { status: 204 }
      })
    },
  )
}
