import * as chat from '@interview-room/contract/operations/live-chat.ts'
import * as live from '@interview-room/contract/operations/live.ts'
import { createUpload } from '../../domain/chat/create-upload.ts'
import { createHistory } from '../../domain/chat/history.ts'
import { presentMessage } from '../../domain/chat/present.ts'
import { sendMessage } from '../../domain/chat/send-message.ts'
import { signAttachments } from '../../domain/chat/sign-attachments.ts'
import { stampsOf } from '../../domain/chat/stamps.ts'
import { createRateRefusals } from '../../domain/people/rate-refusals.ts'
import type { Deps } from '../../platform/ports/deps.ts'
import type { App } from '../http/app-types.ts'
import { serve } from '../http/serve.ts'

/** The chat of the participant plane. */
export async function chatLiveRoutes(app: App, deps: Deps): Promise<void> {
  const refusals = createRateRefusals(deps.clock)
  const listHistory = createHistory(deps)

  serve(app, live.listChatStamps, async ({ params, query, caller: { tenantId, role } }) => {
    const scope = { list: 'chat-stamps', tenantId, filters: { roomId: params.room_id, role } }
    const stamps = stampsOf(role).map((stamp, at) => ({ stamp, position: at + 1 }))
    const data = await deps.paging.page(query, scope, {
      rows: async ({ after, limit }) => stamps.slice(Number(after ?? 0)).slice(0, limit + 1),
      positionOf: ({ position }) => String(position),
      present: ({ stamp }) => stamp,
    })
    return { data }
  })

  serve(app, chat.sendMessage, async ({ holder, body }) => {
    const { message, isNew } = await sendMessage({ ...deps, refusals }, { holder, body })
    const [readable] = await signAttachments(deps, [message])
    if (readable === undefined) throw new Error('a message was lost while it was signed')
    return { status: isNew ? 201 : 200, data: presentMessage(readable) }
  })

  serve(app, chat.listMessagesInRoom, async ({ holder, query }) => ({
    data: await listHistory(holder, query),
  }))

  serve(app, chat.createAttachment, async ({ holder, body }) => {
    const { id, upload } = await createUpload(deps, holder, body)
    return { data: { id, upload: { url: upload.url, expires_at: upload.expiresAt.toISOString() } } }
  })
}
