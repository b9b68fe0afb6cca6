import * as transcriptions from '@interview-room/contract/operations/transcriptions.ts'
import { createExportLinks } from '../../domain/recording/exports/export-links.ts'
import { presentSignedUrl } from '../../domain/recording/recordings/present.ts'
import { presentHit } from '../../domain/recording/transcriptions/present.ts'
import {
  placeOf,
  readTranscription,
  searchLines,
} from '../../domain/recording/transcriptions/read-transcriptions.ts'
import { ServiceError } from '../../platform/lib/service-error.ts'
import type { Deps } from '../../platform/ports/deps.ts'
import type { App } from '../http/app-types.ts'
import { serve } from '../http/serve.ts'

/** Exports of transcripts and the search in them, for the tenant's backend and for viewers who may `watch`. */
export async function transcriptRoutes(app: App, deps: Deps): Promise<void> {
  const { db, paging } = deps
  const exports = createExportLinks(deps)

  serve(app, transcriptions.getTranscriptionExportUrl, async (call) => {
    const { params, query, tenantId } = call
    const { format = 'vtt', speakers = 'name' } = query
    const { id, recordingId } = await readTranscription(db, {
      tenantId,
      transcriptionId: params.transcription_id,
    })
    const grant = { tenantId, recordingId, transcriptionId: id, format, speakers }
    return { data: presentSignedUrl(await exports.issue(grant, call)) }
  })

  serve(app, transcriptions.searchTranscripts, async ({ query, tenantId, viewer }) => {
    const { q: words, room_id: roomId, recording_id: recordingId } = query
    const opened = viewer?.scope ?? {}
    if ('clipId' in opened) throw new ServiceError('NOT_FOUND')
    const filters = { words, roomId, recordingId, opened: JSON.stringify(opened) }
    const search = { tenantId, words, asked: { roomId, recordingId }, opened }
    const page = await paging.page(
      query,
      { list: 'transcript-search', tenantId, filters },
      {
        rows: (request) => searchLines(db, search, request),
        positionOf: placeOf,
        present: presentHit,
      },
    )
    return { data: page }
  })
}
