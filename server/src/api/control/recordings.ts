import { DOWNLOAD_URL_DEFAULT_SEC } from '@interview-room/contract/limits.ts'
import * as recordings from '@interview-room/contract/operations/recordings.ts'
import { findRoomKey } from '../../domain/booking/read-bookings.ts'
import { deleteRecording } from '../../domain/recording/delete-recording.ts'
import { issueDownloadUrl } from '../../domain/recording/recordings/issue-download-url.ts'
import { presentRecording, presentSignedUrl } from '../../domain/recording/recordings/present.ts'
import {
  listRecordings,
  readEstimates,
  readRecording,
} from '../../domain/recording/recordings/read-recordings.ts'
import { ServiceError } from '../../platform/lib/service-error.ts'
import type { Deps } from '../../platform/ports/deps.ts'
import type { App } from '../http/app-types.ts'
import { serveOnce } from '../http/serve-once.ts'
import { serve } from '../http/serve.ts'

/** Part B, "Recordings". */
export async function recordingControlRoutes(app: App, deps: Deps): Promise<void> {
  const { db, paging, clock } = deps

  serve(app, recordings.listRecordings, async ({ params, query, tenantId }) => {
    const roomId = params.room_id
    const room = await findRoomKey(db, { tenantId, roomId })
    if (room === undefined) throw new ServiceError('NOT_FOUND')
    const scope = { list: 'recordings', tenantId, filters: { roomId } }
    const data = await paging.page(query, scope, {
      rows: async (request) => {
        const rows = await listRecordings(db, { roomId, ...request })
        const estimates = await readEstimates(db, rows, clock())
        return rows.map((recording) => ({ recording, estimate: estimates.get(recording.id) }))
      },
      positionOf: ({ recording }) => String(recording.seq),
      present: ({ recording, estimate }) => presentRecording(recording, estimate),
    })
    return { data }
  })

  serve(app, recordings.getRecording, async ({ params, tenantId }) => {
    const key = { tenantId, recordingId: params.recording_id }
    const recording = await readRecording(db, key)
    const estimates = await readEstimates(db, [recording], clock())
    return { data: presentRecording(recording, estimates.get(recording.id)) }
  })

  serve(app, recordings.getRecordingDownloadUrl, async (call) => {
    const { params, query, tenantId } = call
    const key = { tenantId, recordingId: params.recording_id }
    const expiresInSec = query.expires_in_seconds ?? DOWNLOAD_URL_DEFAULT_SEC
    return {
      data: presentSignedUrl(await issueDownloadUrl(deps, key, { accessor: call, expiresInSec })),
    }
  })

  serveOnce({ app, deps }, recordings.deleteRecording, {
    handle: async ({ params, tenantId }, tx) =>
      deleteRecording(tx, { tenantId, recordingId: params.recording_id }, clock),
  })
}
