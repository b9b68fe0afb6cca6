import { ErrorBody, success, Uuid } from '@interview-room/contract/envelope.ts'
import { DOWNLOAD_URL_DEFAULT_SEC } from '@interview-room/contract/limits.ts'
import {
  CompleteUpload,
  DownloadUrlQuery,
  NewProcessedRecording,
  ProcessedRecordingBody,
  SignedUrlBody,
} from '@interview-room/contract/recordings.ts'
import { Type } from 'typebox'
import type { Deps } from '../deps.ts'
import type { App } from '../http/app-types.ts'
import { sendOnce } from '../http/once.ts'
import { succeed } from '../http/present.ts'
import { ServiceError } from '../lib/service-error.ts'
import { presentSignedUrl } from '../recordings/present.ts'
import { completeUpload } from './complete-upload.ts'
import { createProcessed, prepareProcessed } from './create-processed.ts'
import { deleteProcessed } from './delete-processed.ts'
import { issueProcessedDownloadUrl } from './issue-download-url.ts'
import { presentProcessed } from './present.ts'
import { findProcessed } from './store.ts'

const COMMON = {
  tags: ['ProcessedRecording'],
  params: Type.Object({ recording_id: Uuid }),
}
const ProcessedAnswer = success(ProcessedRecordingBody)
const PATH = '/recordings/:recording_id/processed-recording'

/** Part B, "ProcessedRecording". */
export async function processedRecordingControlRoutes(app: App, deps: Deps): Promise<void> {
  orderRoutes(app, deps)
  readRoutes(app, deps)
}

function orderRoutes(app: App, deps: Deps): void {
  const { clock } = deps

  app.post(
    PATH,
    {
      schema: {
        ...COMMON,
        body: NewProcessedRecording,
        response: { 201: ProcessedAnswer, default: ErrorBody },
      },
    },
    async (request, reply) => {
      const { body, params, tenantId } = request
      const key = { tenantId, recordingId: params.recording_id }
      const order = await prepareProcessed(deps, tenantId, body)
      const upload = order.source === 'upload' ? order.upload : undefined
      return sendOnce(deps, { request, reply }, async (tx) => {
        const created = await createProcessed(tx, key, { order, now: clock() })
        return {
          status: 201,
          headers: { location: `/api/v1/recordings/${created.recordingId}/processed-recording` },
          data: presentProcessed(created, upload),
        }
      })
    },
  )

  app.post(
    `${PATH}/complete`,
    {
      schema: {
        ...COMMON,
        body: CompleteUpload,
        response: { 200: ProcessedAnswer, default: ErrorBody },
      },
    },
    async ({ params, body, tenantId }) => {
      const key = { tenantId, recordingId: params.recording_id }
      return succeed(presentProcessed(await completeUpload(deps, key, body?.duration_sec ?? null)))
    },
  )

  app.delete(
    PATH,
    { schema: { ...COMMON, response: { 204: Type.Null(), default: ErrorBody } } },
    async ({ params, tenantId }, reply) => {
      await deleteProcessed(deps, { tenantId, recordingId: params.recording_id })
      return reply.code(204).send(null)
    },
  )
}

function readRoutes(app: App, deps: Deps): void {
  app.get(
    PATH,
    { schema: { ...COMMON, response: { 200: ProcessedAnswer, default: ErrorBody } } },
    async ({ params, tenantId }) => {
      const processed = await findProcessed(deps.db, { tenantId, recordingId: params.recording_id })
      if (processed === undefined) throw new ServiceError('NOT_FOUND')
      return succeed(presentProcessed(processed))
    },
  )

  app.get(
    `${PATH}/download-url`,
    {
      // A HEAD would leave a row in the access log for an address that nobody gets.
      exposeHeadRoute: false,
      schema: {
        ...COMMON,
        querystring: DownloadUrlQuery,
        response: { 200: success(SignedUrlBody), default: ErrorBody },
      },
    },
    async ({ params, query, tenantId }) => {
      const key = { tenantId, recordingId: params.recording_id }
      const expiresInSec = query.expires_in_seconds ?? DOWNLOAD_URL_DEFAULT_SEC
      return succeed(presentSignedUrl(await issueProcessedDownloadUrl(deps, key, expiresInSec)))
    },
  )
}
