import { ChatMessageBody, ChatStampBody } from '@interview-room/contract/chat.ts'
import { ErrorBody, PageQuery, page, success, Uuid } from '@interview-room/contract/envelope.ts'
import {
  AttachmentBody,
  HistoryQuery,
  NewAttachment,
  SendMessage,
} from '@interview-room/contract/live-chat.ts'
import { Type } from 'typebox'
import type { Deps } from '../deps.ts'
import type { App } from '../http/app-types.ts'
import { succeed } from '../http/present.ts'
import { checkCaller } from '../live/check-caller.ts'
import { createRateRefusals } from '../live/rate-refusals.ts'
import { requireHolder } from '../live/require-holder.ts'
import { createUpload } from './create-upload.ts'
import { createHistory } from './history.ts'
import { presentMessage } from './present.ts'
import { type SendDeps, sendMessage } from './send-message.ts'
import { signAttachments } from './sign-attachments.ts'
import { stampsOf } from './stamps.ts'

const TAGS = ['Participant plane']
const RoomParams = Type.Object({ room_id: Uuid })

/** The chat of the participant plane. */
export async function chatLiveRoutes(app: App, deps: Deps): Promise<void> {
  stampRoutes(app, deps)
  messageRoutes(app, { ...deps, refusals: createRateRefusals(deps.clock) })
  attachmentRoutes(app, deps)
}

function messageRoutes(app: App, deps: Deps & SendDeps): void {
  app.post(
    '/rooms/:room_id/live/messages',
    {
      schema: {
        tags: TAGS,
        params: RoomParams,
        body: SendMessage,
        response: {
          200: success(ChatMessageBody),
          201: success(ChatMessageBody),
          default: ErrorBody,
        },
      },
    },
    async (request, reply) => {
      const { body } = request
      const holder = await requireHolder(deps, request)
      const { message, isNew } = await sendMessage(deps, { holder, body })
      const [readable] = await signAttachments(deps, [message])
      if (readable === undefined) throw new Error('a message was lost while it was signed')
      void reply.code(isNew ? 201 : 200)
      return succeed(presentMessage(readable))
    },
  )

  const listHistory = createHistory(deps)
  app.get(
    '/rooms/:room_id/live/messages',
    {
      schema: {
        tags: TAGS,
        params: RoomParams,
        querystring: HistoryQuery,
        response: { 200: page(ChatMessageBody), default: ErrorBody },
      },
    },
    async (request) => {
      const holder = await requireHolder(deps, request)
      return succeed(await listHistory(holder, request.query))
    },
  )
}

function attachmentRoutes(app: App, deps: Deps): void {
  app.post(
    '/rooms/:room_id/live/attachments',
    {
      schema: {
        tags: TAGS,
        params: RoomParams,
        body: NewAttachment,
        response: { 201: success(AttachmentBody), default: ErrorBody },
      },
    },
    async (request, reply) => {
      const holder = await requireHolder(deps, request)
      const { id, upload } = await createUpload(deps, holder, request.body)
      void reply.code(201)
      return succeed({
        id,
        upload: { url: upload.url, expires_at: upload.expiresAt.toISOString() },
      })
    },
  )
}

function stampRoutes(app: App, deps: Deps): void {
  app.get(
    '/rooms/:room_id/chat-stamps',
    {
      schema: {
        tags: TAGS,
        params: RoomParams,
        querystring: Type.Object(PageQuery, { additionalProperties: false }),
        response: { 200: page(ChatStampBody), default: ErrorBody },
      },
      config: { credential: 'ticket or token' },
    },
    async (request) => {
      const { query } = request
      const roomId = request.params.room_id
      const { tenantId, role } = await checkCaller(deps, request)
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
