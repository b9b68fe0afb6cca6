import * as recordings from '@interview-room/contract/operations/recordings.ts'
import { createExportLinks } from '../../domain/recording/exports/export-links.ts'
import { playRecording } from '../../domain/recording/play-recording.ts'
import {
  presentActivity,
  presentCompleteness,
  presentSegment,
  presentTimelineItem,
} from '../../domain/recording/recordings/present-report.ts'
import { presentSignedUrl } from '../../domain/recording/recordings/present.ts'
import { listActivities, readRecording } from '../../domain/recording/recordings/read-recordings.ts'
import { readReport } from '../../domain/recording/recordings/report-completeness.ts'
import { listTimeline, placesOf, positionOf } from '../../domain/recording/recordings/timeline.ts'
import type { Viewer } from '../../domain/recording/reviews/viewer.ts'
import type { Deps } from '../../platform/ports/deps.ts'
import type { App } from '../http/app-types.ts'
import { serve } from '../http/serve.ts'
import { isAllowed, requireAbility } from '../review/viewer-auth.ts'

/** The ability that a viewer needs to export a table, besides `download`. */
const ABILITIES = { comments: 'comment', clips: 'clip' } as const

/** The contents of a recording, for the tenant's backend and for viewers who may `watch`. */
export async function recordingContentRoutes(app: App, deps: Deps): Promise<void> {
  const { db, paging, clock } = deps
  const exports = createExportLinks(deps)

  serve(app, recordings.getRecordingPlayback, async (call) => {
    const { params, query, tenantId } = call
    const key = { tenantId, recordingId: params.recording_id }
    const { version = 'recorded' } = query
    return { data: await playRecording(deps, key, { accessor: call, version }) }
  })

  serve(app, recordings.getRecordingExportUrl, async (call) => {
    const { params, query, tenantId, viewer } = call
    const { content = 'all' } = query
    if (content in ABILITIES) requireAbility(viewer, ABILITIES[content as keyof typeof ABILITIES])
    const grant = {
      tenantId,
      recordingId: params.recording_id,
      content,
      reader: readerOf(viewer),
      hasComments: isAllowed(viewer, 'comment'),
      hasClips: isAllowed(viewer, 'clip'),
    }
    return { data: presentSignedUrl(await exports.issue(grant, call)) }
  })

  serve(app, recordings.getRecordingActivity, async ({ params, tenantId }) => {
    const recordingId = params.recording_id
    await readRecording(db, { tenantId, recordingId })
    return { data: presentActivity(recordingId, await listActivities(db, recordingId)) }
  })

  serve(app, recordings.getRecordingCompleteness, async ({ params, tenantId }) => {
    const recordingId = params.recording_id
    const recording = await readRecording(db, { tenantId, recordingId })
    const report = await readReport(db, recording, clock())
    return { data: presentCompleteness(recordingId, report) }
  })

  serve(app, recordings.getRecordingTimeline, async ({ params, query, tenantId, viewer }) => {
    const reader = readerOf(viewer)
    const recordingId = params.recording_id
    const recording = await readRecording(db, { tenantId, recordingId })
    const { segments } = await readReport(db, recording, clock())
    const places = placesOf(recording.outputMode, segments)
    const scope = { list: 'recording-moments', tenantId, filters: { recordingId, reader } }
    const page = await paging.page(query, scope, {
      rows: (request) => listTimeline(db, recording, { places, reader, ...request }),
      positionOf,
      present: presentTimelineItem,
    })
    return { data: { segments: places.map(presentSegment), ...page } }
  })
}

/** How much of the timeline somebody reads. */
function readerOf(viewer: Viewer | null): 'staff' | 'watcher' {
  return isAllowed(viewer, 'staff') ? 'staff' : 'watcher'
}
