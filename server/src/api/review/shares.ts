import { displayNameOf } from '@interview-room/contract/display-name.ts'
import { SHARE_DEFAULT_SEC } from '@interview-room/contract/limits.ts'
import * as shares from '@interview-room/contract/operations/shares.ts'
import type { ReviewLinkRequest } from '@interview-room/contract/shares.ts'
import { readRoom } from '../../domain/booking/read-bookings.ts'
import { readRecording } from '../../domain/recording/recordings/read-recordings.ts'
import { createReviewLinks } from '../../domain/recording/reviews/review-links.ts'
import {
  createShare,
  createShares,
  listShares,
  openShare,
  orderOf,
  revokeShare,
} from '../../domain/recording/reviews/shares.ts'
import type { Viewer } from '../../domain/recording/reviews/viewer.ts'
import { refuseField } from '../../platform/lib/service-error.ts'
import type { Deps } from '../../platform/ports/deps.ts'
import type { App } from '../http/app-types.ts'
import { serveOnce } from '../http/serve-once.ts'
import { serve } from '../http/serve.ts'

/** Links to the review room: for one person, and for anybody who has the link. */
export async function shareControlRoutes(app: App, deps: Deps): Promise<void> {
  const { db, clock, paging } = deps
  const links = createReviewLinks(deps)
  const shared = createShares(deps)

  serve(app, shares.createReviewLink, async ({ body, tenantId }) => {
    const scope = await scopeOf(deps, tenantId, body)
    const displayName = displayNameOf(body.name)
    if (displayName === undefined) throw refuseName()
    const { reference, may, expires_in_seconds: lifeSec = SHARE_DEFAULT_SEC } = body
    const watermark = body.watermark === true ? displayName : null
    if (watermark !== null && may.includes('download')) throw refuseUnmarked()
    const viewer = { tenantId, reference, displayName, scope, may, watermark, shareId: null }
    const { url, token, jti, expiresAt } = await links.issue(viewer, lifeSec)
    return { data: { url, token, jti, expires_at: expiresAt.toISOString() } }
  })

  serve(app, shares.listShares, async ({ params, query, tenantId }) => {
    const recordingId = params.recording_id
    await readRecording(db, { tenantId, recordingId })
    const scope = { list: 'shares', tenantId, filters: { recordingId } }
    const { items, ...place } = await paging.page(query, scope, {
      rows: (request) => listShares(db, { recordingId, ...request }),
      positionOf: ({ seq }) => String(seq),
      present: (share) => share,
    })
    return {
      data: { items: await Promise.all(items.map((share) => shared.present(share))), ...place },
    }
  })

  serveOnce({ app, deps }, shares.createShare, {
    prepare: async ({ body }) => orderOf(body),
    handle: async ({ params, tenantId, viewer }, tx, order) => {
      const key = { tenantId, recordingId: params.recording_id }
      const share = await createShare(tx, { ...key, maker: viewer, clock }, order)
      return { data: await shared.present(share) }
    },
  })

  serve(app, shares.revokeShare, async ({ params, tenantId }) => {
    await revokeShare(deps, { tenantId, shareId: params.share_id })
  })
}

/** Throws 404 NOT_FOUND. */
async function scopeOf(
  { db }: Pick<Deps, 'db'>,
  tenantId: string,
  { recording_id: recordingId, room_id: roomId }: ReviewLinkRequest,
): Promise<Viewer['scope']> {
  if (recordingId !== undefined) {
    await readRecording(db, { tenantId, recordingId })
    return { recordingId }
  }
  const room = await readRoom(db, { tenantId, roomId: roomId ?? '' })
  return { roomId: room.id }
}

function refuseName() {
  const message = 'must have a visible character'
  return refuseField('INVALID_REQUEST', { field: 'name', code: 'INVALID_FORMAT', message })
}

function refuseUnmarked() {
  const message = 'must not have download beside watermark: the file has no mark'
  return refuseField('VALIDATION_ERROR', { field: 'may', code: 'NOT_ALLOWED', message })
}

/** Opening a link. */
export async function shareRoutes(app: App, deps: Deps): Promise<void> {
  const links = createReviewLinks(deps)
  serve(app, shares.openShare, async ({ share, body }) => ({
    data: await openShare(deps, share, { links, ...body }),
  }))
}
