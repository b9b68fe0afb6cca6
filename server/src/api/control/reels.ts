import { DOWNLOAD_URL_DEFAULT_SEC } from '@interview-room/contract/limits.ts'
import * as reels from '@interview-room/contract/operations/reels.ts'
import { refuseClipTooLarge } from '../../domain/booking/quotas.ts'
import { readRoom } from '../../domain/booking/read-bookings.ts'
import { createReel } from '../../domain/recording/clips/create-reel.ts'
import { deleteClip } from '../../domain/recording/clips/delete-clip.ts'
import { issueClipDownloadUrl } from '../../domain/recording/clips/issue-download-url.ts'
import { presentReel } from '../../domain/recording/clips/present.ts'
import { listReels, readReel } from '../../domain/recording/clips/read-clips.ts'
import { playClip } from '../../domain/recording/play-recording.ts'
import { presentSignedUrl } from '../../domain/recording/recordings/present.ts'
import type { Viewer } from '../../domain/recording/reviews/viewer.ts'
import type { Deps } from '../../platform/ports/deps.ts'
import { readTenantLimits } from '../../platform/tenants/tenant-limits.ts'
import type { App } from '../http/app-types.ts'
import { serveOnce } from '../http/serve-once.ts'
import { serve } from '../http/serve.ts'

/** Clips of a room as one file, ordered by the tenant's backend, and by viewers who may `clip`. */
export async function reelRoutes(app: App, deps: Deps): Promise<void> {
  const { db, paging, clock } = deps

  serve(app, reels.listReels, async ({ params, query, tenantId, viewer }) => {
    const { id: roomId } = await readRoom(db, { tenantId, roomId: params.room_id })
    const filters = { roomId, recordingId: onlyRecordingOf(viewer) }
    const data = await paging.page(
      query,
      { list: 'reels', tenantId, filters },
      {
        rows: (request) => listReels(db, { ...filters, ...request }),
        positionOf: ({ seq }) => String(seq),
        present: presentReel,
      },
    )
    return { data }
  })

  serveOnce({ app, deps }, reels.createReel, {
    handle: async ({ params, body, tenantId, viewer, tenantLimits: ofKey }, tx) => {
      const order = { tenantId, roomId: params.room_id, recordingId: onlyRecordingOf(viewer) }
      const reel = await createReel(tx, { ...order, maker: viewer, clock }, body)
      // Checked after every other refusal, as for a clip.
      const tenantLimits =
        ofKey ?? (await readTenantLimits(tx, { tenantId, ofService: deps.config.tenantLimits }))
      await refuseClipTooLarge(tx, { tenantId, tenantLimits, isOfViewer: viewer !== null })
      return { headers: { location: `/api/v1/reels/${reel.id}` }, data: presentReel(reel) }
    },
  })

  serve(app, reels.getReel, async ({ params, tenantId }) => ({
    data: presentReel(await readReel(db, idOf(tenantId, params))),
  }))

  serve(app, reels.getReelDownloadUrl, async (call) => {
    const { params, query, tenantId } = call
    const expiresInSec = query.expires_in_seconds ?? DOWNLOAD_URL_DEFAULT_SEC
    const request = { accessor: call, expiresInSec }
    return {
      data: presentSignedUrl(await issueClipDownloadUrl(deps, idOf(tenantId, params), request)),
    }
  })

  serve(app, reels.getReelPlayback, async (call) => {
    return { data: await playClip(deps, idOf(call.tenantId, call.params), call) }
  })

  serve(app, reels.deleteReel, async ({ params, tenantId }) => {
    await deleteClip(deps, idOf(tenantId, params))
  })
}

function idOf(tenantId: string, { reel_id: clipId }: { reel_id: string }) {
  return { tenantId, clipId, isReel: true }
}

/** The recording to which a viewer's token is limited. */
function onlyRecordingOf(viewer: Viewer | null): string | undefined {
  return viewer !== null && 'recordingId' in viewer.scope ? viewer.scope.recordingId : undefined
}
