import { DOWNLOAD_URL_DEFAULT_SEC } from '@interview-room/contract/limits.ts'
import * as clips from '@interview-room/contract/operations/clips.ts'
import { refuseClipTooLarge } from '../../domain/booking/quotas.ts'
import { createClip } from '../../domain/recording/clips/create-clip.ts'
import { deleteClip } from '../../domain/recording/clips/delete-clip.ts'
import { issueClipDownloadUrl } from '../../domain/recording/clips/issue-download-url.ts'
import { presentClip } from '../../domain/recording/clips/present.ts'
import { listClips, readClip } from '../../domain/recording/clips/read-clips.ts'
import { playClip } from '../../domain/recording/play-recording.ts'
import { presentSignedUrl } from '../../domain/recording/recordings/present.ts'
import { readRecording } from '../../domain/recording/recordings/read-recordings.ts'
import type { Deps } from '../../platform/ports/deps.ts'
import { readTenantLimits } from '../../platform/tenants/tenant-limits.ts'
import type { App } from '../http/app-types.ts'
import { serveOnce } from '../http/serve-once.ts'
import { serve } from '../http/serve.ts'

/** Ranges of recordings as files, ordered by the tenant's backend, and by viewers who may `clip`. */
export async function clipRoutes(app: App, deps: Deps): Promise<void> {
  const { db, paging, clock } = deps

  serve(app, clips.listClips, async ({ params, query, tenantId }) => {
    const recordingId = params.recording_id
    await readRecording(db, { tenantId, recordingId })
    const scope = { list: 'clips', tenantId, filters: { recordingId } }
    const data = await paging.page(query, scope, {
      rows: (request) => listClips(db, { recordingId, ...request }),
      positionOf: ({ seq }) => String(seq),
      present: presentClip,
    })
    return { data }
  })

  serveOnce({ app, deps }, clips.createClip, {
    handle: async ({ params, body, tenantId, viewer, tenantLimits: ofKey }, tx) => {
      const key = { tenantId, recordingId: params.recording_id }
      const clip = await createClip(tx, { ...key, maker: viewer, clock }, body)
      // Checked after every other refusal, so that a foreign recording stays 404.
      const tenantLimits =
        ofKey ?? (await readTenantLimits(tx, { tenantId, ofService: deps.config.tenantLimits }))
      await refuseClipTooLarge(tx, { tenantId, tenantLimits, isOfViewer: viewer !== null })
      return { headers: { location: `/api/v1/clips/${clip.id}` }, data: presentClip(clip) }
    },
  })

  serve(app, clips.getClip, async ({ params, tenantId }) => ({
    data: presentClip(await readClip(db, { tenantId, clipId: params.clip_id })),
  }))

  serve(app, clips.getClipDownloadUrl, async (call) => {
    const { params, query, tenantId } = call
    const id = { tenantId, clipId: params.clip_id }
    const expiresInSec = query.expires_in_seconds ?? DOWNLOAD_URL_DEFAULT_SEC
    const request = { accessor: call, expiresInSec }
    return { data: presentSignedUrl(await issueClipDownloadUrl(deps, id, request)) }
  })

  serve(app, clips.getClipPlayback, async (call) => {
    const { params, tenantId } = call
    return { data: await playClip(deps, { tenantId, clipId: params.clip_id }, call) }
  })

  serve(app, clips.deleteClip, async ({ params, tenantId }) => {
    await deleteClip(deps, { tenantId, clipId: params.clip_id })
  })
}
