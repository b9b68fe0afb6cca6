import { API } from '@interview-room/contract/operations.ts'
import type { Operation } from '@interview-room/contract/operations/operation.ts'
import type { FastifyRequest } from 'fastify'
import { readRecordingOfClip } from '../../domain/recording/clips/read-clips.ts'
import { requireReviewed } from '../../domain/recording/reviews/require-reviewed.ts'
import { createViewerBudget } from '../../domain/recording/reviews/viewer-budget.ts'
import { createViewerTokens } from '../../domain/recording/reviews/viewer-token.ts'
import { readTranscription } from '../../domain/recording/transcriptions/read-transcriptions.ts'
import type { Query } from '../../platform/db/db.ts'
import type { Deps } from '../../platform/ports/deps.ts'
import type { App } from '../http/app-types.ts'
import { declaredBy } from '../http/route.ts'

/** How long a browser need not ask again. */
const PREFLIGHT_MAX_AGE_SEC = 3600

/**
 * Lets in by a viewer token: -> `request.viewer` and `tenantId`. Throws 401 UNAUTHORIZED, and 429 RATE_LIMIT_EXCEEDED
 * after too many writes of one viewer.
 */
export function admitViewers(deps: Deps): (request: FastifyRequest) => Promise<void> {
  const verify = createViewerTokens(deps)
  const takeWrite = createViewerBudget(deps)
  return async (request) => {
    const { id, viewerMay } = declaredBy(request)
    if (viewerMay === undefined)
      throw new Error(`${id} does not say what a viewer token must allow`)
    request.viewer = await verify(request.headers.authorization, viewerMay)
    request.tenantId = request.viewer.tenantId
    if (!['GET', 'HEAD'].includes(request.method)) takeWrite(request.viewer)
  }
}

/** Refuses a recording that the viewer's token is not about: 404 NOT_FOUND. Comes last of all hooks. */
export function requireScope(app: App, { db }: Pick<Deps, 'db'>): void {
  app.addHook('preHandler', async ({ viewer, params }: FastifyRequest) => {
    if (viewer === null) return
    const recordingId = await requestedOf(db, viewer.tenantId, params as RequestedParams)
    if (recordingId !== undefined) await requireReviewed(db, viewer, recordingId)
  })
}

type RequestedParams = Partial<Record<'recording_id' | 'clip_id' | 'transcription_id', string>>

/** The recording that the path is about. Undefined if it names nothing. Throws 404 NOT_FOUND. */
async function requestedOf(
  query: Query,
  tenantId: string,
  { recording_id: recordingId, clip_id: clipId, transcription_id }: RequestedParams,
): Promise<string | undefined> {
  if (clipId !== undefined)
    return (await readRecordingOfClip(query, { tenantId, clipId })).recordingId
  if (transcription_id === undefined) return recordingId
  const key = { tenantId, transcriptionId: transcription_id }
  return (await readTranscription(query, key)).recordingId
}

/** Request headers that a page of another origin may send (CORS). */
const SENT_BY_PAGES = 'authorization, content-type, idempotency-key, traceparent, x-request-id'
/** Response headers that a page of another origin may read (CORS). */
const READ_BY_PAGES = 'idempotent-replayed, location, retry-after, x-request-id'

/**
 * Lets pages of any origin read what a viewer token opens (CORS): they are the tenant's own. No cookie goes with a request,
 * so that the token is all of the permission. Call it before whatever answers: a page cannot read a refusal without it.
 */
export function answerPages(app: App): void {
  app.addHook('onRequest', (request, reply, done) => {
    if (isOfViewers(request)) {
      reply.header('access-control-allow-origin', '*')
      reply.header('access-control-expose-headers', READ_BY_PAGES)
    }
    done()
  })
}

/** True if a viewer token opens this address: by the operation's declaration, or by the path if no method matches. */
function isOfViewers({ is404, routeOptions, url }: FastifyRequest): boolean {
  return is404 ? hasPathOfViewers(url) : routeOptions.config.operation?.viewerMay !== undefined
}

/** Answers preflight requests. Call it after `answerPages`, and before anything that refuses other methods. */
export function answerPreflights(app: App): void {
  app.addHook('onRequest', (request, reply, done) => {
    const isPreflight = request.headers['access-control-request-method'] !== undefined
    if (request.method !== 'OPTIONS' || !isPreflight) return done()
    if (!hasPathOfViewers(request.url)) return done()
    void reply
      .code(204)
      .header('access-control-allow-methods', 'GET, POST, PATCH, DELETE')
      .header('access-control-allow-headers', SENT_BY_PAGES)
      .header('access-control-max-age', PREFLIGHT_MAX_AGE_SEC)
      .send()
  })
}

/** The addresses that a viewer token opens. */
const OF_VIEWERS = Object.values(API)
  .filter((each: Operation) => each.viewerMay !== undefined)
  .map(({ path }) => new RegExp(`^/api/v1${path.replaceAll(/\{\w+\}/g, '[^/]+')}$`))

function hasPathOfViewers(url: string): boolean {
  const [path = ''] = url.split('?')
  return OF_VIEWERS.some((pattern) => pattern.test(path))
}
