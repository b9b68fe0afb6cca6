import { DOWNLOAD_URL_DEFAULT_SEC } from '@interview-room/contract/limits.ts'
import * as recordings from '@interview-room/contract/operations/recordings.ts'
import { refuseFullStorage } from '../../domain/booking/quotas.ts'
import { completeUpload } from '../../domain/recording/processed-recordings/complete-upload.ts'
import {
  createProcessed,
  prepareProcessed,
} from '../../domain/recording/processed-recordings/create-processed.ts'
import { deleteProcessed } from '../../domain/recording/processed-recordings/delete-processed.ts'
import { issueProcessedDownloadUrl } from '../../domain/recording/processed-recordings/issue-download-url.ts'
import { presentProcessed } from '../../domain/recording/processed-recordings/present.ts'
import { readProcessed } from '../../domain/recording/processed-recordings/read-processed.ts'
import { presentSignedUrl } from '../../domain/recording/recordings/present.ts'
import type { Deps } from '../../platform/ports/deps.ts'
import type { App } from '../http/app-types.ts'
import { serveOnce } from '../http/serve-once.ts'
import { serve } from '../http/serve.ts'

/** Part B, "ProcessedRecording". */
export async function processedRecordingControlRoutes(app: App, deps: Deps): Promise<void> {
  const { db, clock } = deps

  serveOnce({ app, deps }, recordings.createProcessedRecording, {
    prepare: async ({ body, tenantId }) => prepareProcessed(deps, tenantId, body),
    handle: async ({ params, tenantId, tenantLimits }, tx, order) => {
      const key = { tenantId, recordingId: params.recording_id }
      const created = await createProcessed(tx, key, { order, now: clock() })
      // Checked after every other refusal, so that a foreign recording stays 404.
      await refuseFullStorage(tx, { tenantId, tenantLimits })
      return {
        headers: { location: `/api/v1/recordings/${created.recordingId}/processed-recording` },
        data: presentProcessed(created, order.source === 'upload' ? order.upload : undefined),
      }
    },
  })

  serve(app, recordings.completeProcessedRecording, async ({ params, body, tenantId }) => {
    const key = { tenantId, recordingId: params.recording_id }
    return { data: presentProcessed(await completeUpload(deps, key, body?.duration_sec ?? null)) }
  })

  serve(app, recordings.deleteProcessedRecording, async ({ params, tenantId }) => {
    await deleteProcessed(deps, { tenantId, recordingId: params.recording_id })
  })

  serve(app, recordings.getProcessedRecording, async ({ params, tenantId }) => {
    const key = { tenantId, recordingId: params.recording_id }
    return { data: presentProcessed(await readProcessed(db, key)) }
  })

  serve(app, recordings.getProcessedRecordingDownloadUrl, async (call) => {
    const { params, query, tenantId } = call
    const key = { tenantId, recordingId: params.recording_id }
    const expiresInSec = query.expires_in_seconds ?? DOWNLOAD_URL_DEFAULT_SEC
    const request = { accessor: call, expiresInSec }
    return { data: presentSignedUrl(await issueProcessedDownloadUrl(deps, key, request)) }
  })
}
