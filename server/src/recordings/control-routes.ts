import { ErrorBody, PageQuery, page, success, Uuid } from '@interview-room/contract/envelope.ts'
import { DOWNLOAD_URL_DEFAULT_SEC } from '@interview-room/contract/limits.ts'
import {
  DownloadUrlQuery,
  RecordingBody,
  SignedUrlBody,
} from '@interview-room/contract/recordings.ts'
import { Type } from 'typebox'
import type { Deps } from '../deps.ts'
import type { App } from '../http/app-types.ts'
import { sendOnce } from '../http/once.ts'
import { succeed } from '../http/present.ts'
import { ServiceError } from '../lib/service-error.ts'
import { findRoomKey } from '../rooms/find-room-key.ts'
import { deleteRecording } from './delete-recording.ts'
import { issueDownloadUrl } from './issue-download-url.ts'
import { presentRecording, presentSignedUrl } from './present.ts'
import { findRecording, listRecordings } from './store.ts'

const RecordingParams = Type.Object({ recording_id: Uuid })
const COMMON = { tags: ['Recordings'] }

/** Part B, "Recordings". */
export async function recordingControlRoutes(app: App, deps: Deps): Promise<void> {
  readRoutes(app, deps)
  fileRoutes(app, deps)
}

function readRoutes(app: App, { db, paging }: Deps): void {
  app.get(
    '/rooms/:room_id/recordings',
    {
      schema: {
        ...COMMON,
        params: Type.Object({ room_id: Uuid }),
        querystring: Type.Object(PageQuery, { additionalProperties: false }),
        response: { 200: page(RecordingBody), default: ErrorBody },
      },
    },
    async ({ params, query, tenantId }) => {
      const roomId = params.room_id
      const room = await findRoomKey(db, { tenantId, roomId })
      if (room === undefined) throw new ServiceError('NOT_FOUND')
      const scope = { list: 'recordings', tenantId, filters: { roomId } }
      return succeed(
        await paging.page(query, scope, {
          rows: (request) => listRecordings(db, { roomId, ...request }),
          positionOf: (recording) => String(recording.seq),
          present: presentRecording,
        }),
      )
    },
  )

  app.get(
    '/recordings/:recording_id',
    {
      schema: {
        ...COMMON,
        params: RecordingParams,
        response: { 200: success(RecordingBody), default: ErrorBody },
      },
    },
    async ({ params, tenantId }) => {
      const recording = await findRecording(db, { tenantId, recordingId: params.recording_id })
      if (recording === undefined) throw new ServiceError('NOT_FOUND')
      return succeed(presentRecording(recording))
    },
  )
}

function fileRoutes(app: App, deps: Deps): void {
  app.get(
    '/recordings/:recording_id/download-url',
    {
      // A HEAD would leave a row in the access log for an address that nobody gets.
      exposeHeadRoute: false,
      schema: {
        ...COMMON,
        params: RecordingParams,
        querystring: DownloadUrlQuery,
        response: { 200: success(SignedUrlBody), default: ErrorBody },
      },
    },
    async ({ params, query, tenantId }) => {
      const key = { tenantId, recordingId: params.recording_id }
      const expiresInSec = query.expires_in_seconds ?? DOWNLOAD_URL_DEFAULT_SEC
      return succeed(presentSignedUrl(await issueDownloadUrl(deps, key, expiresInSec)))
    },
  )

  app.delete(
    '/recordings/:recording_id',
    {
      schema: {
        ...COMMON,
        params: RecordingParams,
        response: { 204: Type.Null(), default: ErrorBody },
      },
    },
    async (request, reply) => {
      const key = { tenantId: request.tenantId, recordingId: request.params.recording_id }
      return sendOnce(deps, { request, reply }, async (tx) => {
        await deleteRecording(tx, key, deps.clock())
        return { status: 204 }
      })
    },
  )
}
