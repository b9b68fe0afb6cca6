import { Uuid } from '@interview-room/contract/envelope.ts'
import { PAGE_LIMIT_MAX } from '@interview-room/contract/limits.ts'
import {
  TranscriptionRequest,
  type ProcessedRecordingBody,
} from '@interview-room/contract/recordings.ts'
import { ApiError } from '@interview-room/sdk/errors.ts'
import type { FastifyInstance } from 'fastify'
import { Type } from 'typebox'
import { ServiceError } from '../../platform/lib/service-error.ts'
import { findFailures, reasonOfTranscription } from './failure-reasons.ts'
import type { TenantClient } from './tenant-client.ts'
import type { WebhookLog } from './webhook-log.ts'

interface RecordingRouteParts {
  tenant: TenantClient
  webhooks: WebhookLog
}

interface OfRecording {
  Params: { recording_id: string }
}

const FULL_PAGE = { limit: PAGE_LIMIT_MAX }
const RESULT_TIMEOUT_MS = 15_000
const OfRecording = { params: Type.Object({ recording_id: Uuid }) }
/** The range is the API's to judge. */
const TrimRequest = Type.Object(
  { trim_start_sec: Type.Number(), trim_end_sec: Type.Number() },
  { additionalProperties: false },
)

/** What became of the rooms' recordings, and what a tenant can do with them. */
export function recordingRoutes(
  app: FastifyInstance,
  api: string,
  parts: RecordingRouteParts,
): void {
  readRoutes(app, api, parts)
  fileRoutes(app, api, parts)
  processedRoutes(app, `${api}/recordings/:recording_id/processed-recording`, parts)
  transcriptionRoutes(app, api, parts)
}

function readRoutes(
  app: FastifyInstance,
  api: string,
  { tenant, webhooks }: RecordingRouteParts,
): void {
  app.get<{ Params: { room_id: string } }>(
    `${api}/rooms/:room_id/recordings`,
    { schema: { params: Type.Object({ room_id: Uuid }) } },
    async ({ params: { room_id: roomId } }) => {
      const params = { room_id: roomId }
      const { items } = await tenant.api.listRecordings({ params, query: FULL_PAGE })
      const reasons = await findFailures(tenant, roomId, items)
      return {
        recordings: items.map((each) => ({
          ...each,
          failure_reason: each.status === 'failed' ? (reasons.get(each.id) ?? null) : null,
        })),
      }
    },
  )

  app.get<OfRecording>(
    `${api}/recordings/:recording_id`,
    { schema: OfRecording },
    async ({ params }) => {
      const [processed, { items }] = await Promise.all([
        findProcessed(tenant, params),
        tenant.api.listTranscriptions({ params, query: FULL_PAGE }),
      ])
      const transcriptions = items.map((each) => ({
        ...each,
        failure_reason: reasonOfTranscription(webhooks, each.id),
      }))
      return { processed, transcriptions }
    },
  )
}

/** Null while the recording has none. */
async function findProcessed(
  tenant: TenantClient,
  params: OfRecording['Params'],
): Promise<ProcessedRecordingBody | null> {
  try {
    return await tenant.api.getProcessedRecording({ params })
  } catch (error) {
    if (error instanceof ApiError && error.code === 'NOT_FOUND') return null
    throw error
  }
}

/** Every address is a row in the access log, so it is asked for by a press and not by looking. */
function fileRoutes(app: FastifyInstance, api: string, { tenant }: RecordingRouteParts): void {
  const at = `${api}/recordings/:recording_id`

  app.post<OfRecording>(`${at}/download-url`, { schema: OfRecording }, async ({ params }) =>
    tenant.api.getRecordingDownloadUrl({ params }),
  )

  app.delete<OfRecording>(at, { schema: OfRecording }, async ({ params }, reply) => {
    await tenant.api.deleteRecording({ params })
    return reply.code(204).send()
  })
}

function processedRoutes(app: FastifyInstance, at: string, { tenant }: RecordingRouteParts): void {
  app.post<OfRecording & { Body: { trim_start_sec: number; trim_end_sec: number } }>(
    at,
    { schema: { ...OfRecording, body: TrimRequest } },
    async ({ params, body }) =>
      tenant.api.createProcessedRecording({ params, body: { source: 'trim', ...body } }),
  )

  app.post<OfRecording>(`${at}/download-url`, { schema: OfRecording }, async ({ params }) =>
    tenant.api.getProcessedRecordingDownloadUrl({ params }),
  )

  app.delete<OfRecording>(at, { schema: OfRecording }, async ({ params }, reply) => {
    await tenant.api.deleteProcessedRecording({ params })
    return reply.code(204).send()
  })
}

function transcriptionRoutes(
  app: FastifyInstance,
  api: string,
  { tenant }: RecordingRouteParts,
): void {
  app.post<OfRecording & { Body: TranscriptionRequest }>(
    `${api}/recordings/:recording_id/transcriptions`,
    { schema: { ...OfRecording, body: TranscriptionRequest } },
    async ({ params, body }) => tenant.api.startTranscription({ params, body: body ?? {} }),
  )

  // A track of the page's own origin needs no permission of the storage to be read.
  app.get<{ Params: { transcription_id: string } }>(
    `${api}/transcriptions/:transcription_id/result.vtt`,
    { schema: { params: Type.Object({ transcription_id: Uuid }) } },
    async ({ params }, reply) => {
      const transcription = await tenant.api.getTranscription({ params })
      if (transcription.result_url === null) throw new ServiceError('NOT_FOUND')
      const text = await readResult(transcription.result_url)
      return reply.type('text/vtt; charset=utf-8').header('cache-control', 'no-store').send(text)
    },
  )
}

async function readResult(url: string): Promise<string> {
  try {
    const answer = await fetch(url, { signal: AbortSignal.timeout(RESULT_TIMEOUT_MS) })
    if (!answer.ok) throw new Error(`the storage answered ${answer.status}`)
    return await answer.text()
  } catch (error) {
    throw new ServiceError('SERVICE_UNAVAILABLE', { note: 'read a transcript', cause: error })
  }
}
