import * as transcriptions from '@interview-room/contract/operations/transcriptions.ts'
import type { TranscriptRevisionsBody } from '@interview-room/contract/transcripts.ts'
import { deprecationHeaders } from '../../domain/booking/deprecated-engines.ts'
import {
  correctTranscript,
  type Correction,
  readRevisions,
} from '../../domain/recording/transcriptions/correct-transcript.ts'
import {
  issueResults,
  readTranscriptWords,
} from '../../domain/recording/transcriptions/issue-results.ts'
import { presentTranscription } from '../../domain/recording/transcriptions/present.ts'
import {
  hasRecording,
  listTranscriptions,
  readTranscription,
} from '../../domain/recording/transcriptions/read-transcriptions.ts'
import {
  orderOf,
  startTranscription,
} from '../../domain/recording/transcriptions/start-transcription.ts'
import { ServiceError } from '../../platform/lib/service-error.ts'
import type { Deps } from '../../platform/ports/deps.ts'
import type { App } from '../http/app-types.ts'
import { wantedTags } from '../http/if-match.ts'
import { serveOnce } from '../http/serve-once.ts'
import { serve } from '../http/serve.ts'

/** Part B, "Transcriptions". */
export async function transcriptionControlRoutes(app: App, deps: Deps): Promise<void> {
  const { db, config, paging } = deps
  revisionRoutes(app, deps)

  serve(app, transcriptions.listTranscriptions, async (call) => {
    const { params, query, tenantId } = call
    const recordingId = params.recording_id
    const key = { tenantId, recordingId }
    if (!(await hasRecording(db, key))) throw new ServiceError('NOT_FOUND')
    const scope = { list: 'transcriptions', tenantId, filters: { recordingId } }
    const { items, ...place } = await paging.page(query, scope, {
      rows: (request) => listTranscriptions(db, { recordingId, ...request }),
      positionOf: ({ seq }) => String(seq),
      present: (transcription) => transcription,
    })
    // After the page is cut: the row that shows that there is more is given to nobody.
    const addresses = await issueResults(deps, { ...key, accessor: call }, items)
    const bodies = items.map((each) => presentTranscription(each, addresses.get(each.id)))
    return { data: { items: bodies, ...place } }
  })

  serve(app, transcriptions.getTranscription, async (call) => {
    const { params, tenantId } = call
    const key = { tenantId, transcriptionId: params.transcription_id }
    const transcription = await readTranscription(db, key)
    const { id, recordingId } = transcription
    const addresses = await issueResults(deps, { tenantId, recordingId, accessor: call }, [
      transcription,
    ])
    return { data: presentTranscription(transcription, addresses.get(id)) }
  })

  serve(app, transcriptions.getTranscriptionWords, async (call) => {
    const { params, query, tenantId } = call
    const key = { tenantId, transcriptionId: params.transcription_id }
    const transcription = await readTranscription(db, key)
    const { revision } = query
    return { data: await readTranscriptWords(deps, transcription, { accessor: call, revision }) }
  })

  serveOnce({ app, deps }, transcriptions.startTranscription, {
    prepare: async ({ body }) => orderOf(body, config.transcription.languages),
    handle: async ({ params, tenantId }, tx, order) => {
      const key = { tenantId, recordingId: params.recording_id }
      const started = await startTranscription(tx, key, order)
      return {
        headers: {
          location: `/api/v1/transcriptions/${started.id}`,
          ...deprecationHeaders(started.provider),
        },
        data: presentTranscription(started, undefined),
      }
    },
  })
}

/** Revisions of transcripts, made by the tenant's backend, and by viewers who may `correct`. */
function revisionRoutes(app: App, deps: Deps): void {
  const { db } = deps

  serve(app, transcriptions.getTranscriptRevisions, async (call) => {
    const { params, tenantId } = call
    const key = { tenantId, transcriptionId: params.transcription_id }
    return withEtag(await readRevisions(deps, await readTranscription(db, key), call))
  })

  serve(app, transcriptions.correctTranscript, async (call) => {
    const { params, body, tenantId, viewer, apiKeyId } = call
    const key = { tenantId, transcriptionId: params.transcription_id }
    const transcription = await readTranscription(db, key)
    const tags = wantedTags(call)
    const author: Correction['author'] =
      viewer === null
        ? { kind: 'api_key', reference: apiKeyId, name: null }
        : { kind: 'viewer', reference: viewer.reference, name: viewer.displayName }
    return withEtag(
      await correctTranscript(deps, transcription, {
        lines: body.lines,
        author,
        isRead: (revision) => tags.includes(tagOf(revision)),
      }),
    )
  })
}

const tagOf = (revision: number) => `"${revision}"`

function withEtag(data: TranscriptRevisionsBody) {
  const [newest] = data.revisions
  return { headers: { etag: tagOf(newest?.revision ?? 0) }, data }
}
