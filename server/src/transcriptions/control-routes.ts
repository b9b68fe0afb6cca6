import { ErrorBody, PageQuery, page, success, Uuid } from '@interview-room/contract/envelope.ts'
import { NewTranscription, TranscriptionBody } from '@interview-room/contract/recordings.ts'
import { Type } from 'typebox'
import type { Deps } from '../deps.ts'
import type { App } from '../http/app-types.ts'
import { sendOnce } from '../http/once.ts'
import { succeed } from '../http/present.ts'
import { ServiceError } from '../lib/service-error.ts'
import { deprecationHeaders } from '../rooms/deprecated-engines.ts'
import { issueResults } from './issue-results.ts'
import { presentTranscription } from './present.ts'
import { orderOf, startTranscription } from './start-transcription.ts'
import { findTranscription, hasRecording, listTranscriptions } from './store.ts'

const COMMON = { tags: ['Transcriptions'] }
/** A HEAD would leave rows in the access log for addresses that nobody gets. */
const LOGGED = { exposeHeadRoute: false }
const RecordingParams = Type.Object({ recording_id: Uuid })
const TranscriptionAnswer = success(TranscriptionBody)

/** Part B, "Transcriptions". */
export async function transcriptionControlRoutes(app: App, deps: Deps): Promise<void> {
  readRoutes(app, deps)
  startRoute(app, deps)
}

function readRoutes(app: App, deps: Deps): void {
  const { db, paging } = deps

  app.get(
    '/recordings/:recording_id/transcriptions',
    {
      ...LOGGED,
      schema: {
        ...COMMON,
        params: RecordingParams,
        querystring: Type.Object(PageQuery, { additionalProperties: false }),
        response: { 200: page(TranscriptionBody), default: ErrorBody },
      },
    },
    async ({ params, query, tenantId }) => {
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
      const addresses = await issueResults(deps, key, items)
      const bodies = items.map((each) => presentTranscription(each, addresses.get(each.id)))
      return succeed({ items: bodies, ...place })
    },
  )

  app.get(
    '/transcriptions/:transcription_id',
    {
      ...LOGGED,
      schema: {
        ...COMMON,
        params: Type.Object({ transcription_id: Uuid }),
        response: { 200: TranscriptionAnswer, default: ErrorBody },
      },
    },
    async ({ params, tenantId }) => {
      const key = { tenantId, transcriptionId: params.transcription_id }
      const transcription = await findTranscription(db, key)
      if (transcription === undefined) throw new ServiceError('NOT_FOUND')
      const { id, recordingId } = transcription
      const addresses = await issueResults(deps, { tenantId, recordingId }, [transcription])
      return succeed(presentTranscription(transcription, addresses.get(id)))
    },
  )
}

function startRoute(app: App, deps: Deps): void {
  app.post(
    '/recordings/:recording_id/transcriptions',
    {
      schema: {
        ...COMMON,
        params: RecordingParams,
        body: NewTranscription,
        response: { 201: TranscriptionAnswer, default: ErrorBody },
      },
    },
    async (request, reply) => {
      const key = { tenantId: request.tenantId, recordingId: request.params.recording_id }
      const order = orderOf(request.body, deps.config.transcription.languages)
      return sendOnce(deps, { request, reply }, async (tx) => {
        const started = await startTranscription(tx, key, order)
        return {
          status: 201,
          headers: {
            location: `/api/v1/transcriptions/${started.id}`,
            ...deprecationHeaders(started.provider),
          },
          data: presentTranscription(started, undefined),
        }
      })
    },
  )
}
