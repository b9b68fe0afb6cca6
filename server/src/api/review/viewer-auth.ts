import { SHARE_OPENINGS_PER_MIN, VIEWER_WRITES_PER_MIN } from '@interview-room/contract/limits.ts'
import { API } from '@interview-room/contract/operations.ts'
import type { Operation } from '@interview-room/contract/operations/operation.ts'
import type { ViewerAbility } from '@interview-room/contract/reviews.ts'
import type { FastifyRequest } from 'fastify'
import { readRecordingsOfClip } from '../../domain/recording/clips/read-clips.ts'
import { createMinuteBudget } from '../../domain/recording/reviews/minute-budget.ts'
import {
  requireReviewed,
  requireReviewedRoom,
} from '../../domain/recording/reviews/require-reviewed.ts'
import { createShares, readRecordingOfShare } from '../../domain/recording/reviews/shares.ts'
import { createViewerTokens } from '../../domain/recording/reviews/viewer-token.ts'
import type { Viewer } from '../../domain/recording/reviews/viewer.ts'
import { readTranscription } from '../../domain/recording/transcriptions/read-transcriptions.ts'
import type { Query } from '../../platform/db/db.ts'
import { ServiceError } from '../../platform/lib/service-error.ts'
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
  const takeWrite = createMinuteBudget(deps, VIEWER_WRITES_PER_MIN)
  const takeOpening = createMinuteBudget(deps, SHARE_OPENINGS_PER_MIN)
  const shares = createShares(deps)
  return async (request) => {
    const { id, viewerMay, takesShareLink } = declaredBy(request)
    if (takesShareLink === true) {
      const { share_id: shareId = '' } = request.params as RequestedParams
      request.share = await shares.verify(request.headers.authorization, shareId)
      takeOpening(shareId)
      return
    }
    if (viewerMay === undefined)
      throw new Error(`${id} does not say what a viewer token must allow`)
    request.viewer = await verify(request.headers.authorization, viewerMay)
    request.tenantId = request.viewer.tenantId
    const { tenantId, reference } = request.viewer
    if (!['GET', 'HEAD'].includes(request.method)) takeWrite(`${tenantId} ${reference}`)
  }
}

/** True for an API key, which may everything, and for a viewer whose token has this ability. */
export function isAllowed(viewer: Viewer | null, ability: ViewerAbility): boolean {
  return viewer === null || viewer.may.includes(ability)
}

/** Throws the 401 UNAUTHORIZED of the control plane for a viewer whose token lacks a second ability. */
export function requireAbility(viewer: Viewer | null, ability: ViewerAbility): void {
  if (isAllowed(viewer, ability)) return
  throw new ServiceError('UNAUTHORIZED', {
    headers: { 'www-authenticate': 'ApiKey, Bearer' },
    note: `the token does not allow to ${ability}`,
    reasonCode: 'ABILITY_MISSING',
  })
}

/** Refuses a recording that the viewer's token is not about: 404 NOT_FOUND. Comes last of all hooks. */
export function requireScope(app: App, { db }: Pick<Deps, 'db'>): void {
  app.addHook('preHandler', async ({ viewer, params }: FastifyRequest) => {
    if (viewer === null) return
    const requested = params as RequestedParams
    const clipId = requested.reel_id ?? requested.clip_id
    if (requested.room_id !== undefined) await requireReviewedRoom(db, viewer, requested.room_id)
    for (const recordingId of await requestedOf(db, viewer.tenantId, requested)) {
      await requireReviewed(db, viewer, { recordingId, clipId })
    }
  })
}

type RequestedParams = Partial<
  Record<
    'recording_id' | 'clip_id' | 'reel_id' | 'room_id' | 'transcription_id' | 'share_id',
    string
  >
>

/** The recordings that the path is about, several for a reel. None if it names nothing. Throws 404 NOT_FOUND. */
async function requestedOf(
  query: Query,
  tenantId: string,
  { recording_id, clip_id: clipId, reel_id, transcription_id, share_id }: RequestedParams,
): Promise<string[]> {
  if (clipId !== undefined) return readRecordingsOfClip(query, { tenantId, clipId })
  if (reel_id !== undefined) {
    return readRecordingsOfClip(query, { tenantId, clipId: reel_id, isReel: true })
  }
  if (share_id !== undefined) {
    return [(await readRecordingOfShare(query, { tenantId, shareId: share_id })).recordingId]
  }
  if (transcription_id === undefined) return recording_id === undefined ? [] : [recording_id]
  const key = { tenantId, transcriptionId: transcription_id }
  return [(await readTranscription(query, key)).recordingId]
}

/** Request headers that a page of another origin may send (CORS). */
const SENT_BY_PAGES =
  'authorization, content-type, idempotency-key, if-match, traceparent, x-request-id'
/** Response headers that a page of another origin may read (CORS). */
const READ_BY_PAGES = 'etag, idempotent-replayed, location, retry-after, x-request-id'

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
      .header('access-control-allow-methods', 'GET, POST, PUT, PATCH, DELETE')
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
