import { ErrorBody, PageQuery, page, success, Uuid } from '@interview-room/contract/envelope.ts'
import { HandoutBody } from '@interview-room/contract/handouts.ts'
import { Playback } from '@interview-room/contract/live-moderation.ts'
import { Presentation } from '@interview-room/contract/live-stream.ts'
import { Type } from 'typebox'
import { inTransaction, type Tx } from '../db/db.ts'
import type { Deps } from '../deps.ts'
import type { App } from '../http/app-types.ts'
import { succeed } from '../http/present.ts'
import type { VerifiedRequest } from '../live/credential.ts'
import { holdRoomInside, requireHolder } from '../live/require-holder.ts'
import { findPresentation } from './find-presentation.ts'
import { listPage } from './list-page.ts'
import { type HandoutInRoom, hideHandout, movePlayback, showHandout } from './present-in-room.ts'

const TAGS = ['Participant plane']
const HandoutParams = Type.Object({ room_id: Uuid, handout_id: Uuid })
const NO_HANDOUTS = { items: [], next_cursor: null, has_more: false }
const TO_PRESENTATION = {
  tags: TAGS,
  params: HandoutParams,
  response: { 200: success(Presentation), default: ErrorBody },
}

/** Handouts as those in the room see and show them. */
export async function handoutLiveRoutes(app: App, deps: Deps): Promise<void> {
  listRoute(app, deps)
  presentationRoutes(app, deps)
}

function listRoute(app: App, deps: Deps): void {
  app.get(
    '/rooms/:room_id/live/handouts',
    {
      schema: {
        tags: TAGS,
        params: Type.Object({ room_id: Uuid }),
        querystring: Type.Object(PageQuery, { additionalProperties: false }),
        response: { 200: page(HandoutBody), default: ErrorBody },
      },
    },
    async (request) => {
      const ability = 'canListHandouts'
      const { tenantId, room } = await requireHolder(deps, request, ability)
      const { session } = room
      if (session === null) return succeed(NO_HANDOUTS)
      return succeed(await listPage(deps, { query: request.query, tenantId, session }))
    },
  )
}

function presentationRoutes(app: App, deps: Deps): void {
  app.post(
    '/rooms/:room_id/live/handouts/:handout_id/show',
    { schema: TO_PRESENTATION },
    async (request) => succeed(await moderate(deps, request, showHandout)),
  )

  app.post(
    '/rooms/:room_id/live/handouts/:handout_id/hide',
    { schema: TO_PRESENTATION },
    async (request) => succeed(await moderate(deps, request, hideHandout)),
  )

  app.post(
    '/rooms/:room_id/live/handouts/:handout_id/playback',
    { schema: { ...TO_PRESENTATION, body: Playback } },
    async (request) =>
      succeed(await moderate(deps, request, (tx, key) => movePlayback(tx, key, request.body))),
  )
}

interface HandoutRequest extends VerifiedRequest {
  params: { room_id: string; handout_id: string }
}

/** Changes what is shown, one at a time in a room; answers what is shown then. */
async function moderate(
  deps: Deps,
  request: HandoutRequest,
  change: (tx: Tx, key: HandoutInRoom) => Promise<void>,
): Promise<Presentation> {
  const holder = await requireHolder(deps, request, 'canModerate')
  return inTransaction(deps.db, async (tx) => {
    const held = await holdRoomInside(tx, deps.clock, holder)
    await change(tx, { ...held, handoutId: request.params.handout_id })
    return findPresentation(deps, tx, held.roomId)
  })
}
