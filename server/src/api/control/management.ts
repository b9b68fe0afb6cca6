import type { DownloadAccessBody } from '@interview-room/contract/access-log.ts'
import { API_KEY_OVERLAP_DEFAULT_SEC } from '@interview-room/contract/limits.ts'
import type { ApiKeyBody, EventBody, TokenKeyBody } from '@interview-room/contract/management.ts'
import * as management from '@interview-room/contract/operations/management.ts'
import * as reviews from '@interview-room/contract/operations/reviews.ts'
import { readUsage } from '../../domain/monitoring/read-usage.ts'
import type { LoggedAccess } from '../../domain/recording/recordings/access-log-store.ts'
import { listAccesses } from '../../domain/recording/recordings/read-recordings.ts'
import { revokeViewerToken } from '../../domain/recording/reviews/revoke-viewer-token.ts'
import type { Db } from '../../platform/db/db.ts'
import { checkedDateTime } from '../../platform/lib/date-time.ts'
import { refuseField, ServiceError } from '../../platform/lib/service-error.ts'
import type { Deps } from '../../platform/ports/deps.ts'
import { addTokenKey, TokenKeyError } from '../../platform/tenants/add-token-key.ts'
import { issueApiKey } from '../../platform/tenants/issue-api-key.ts'
import {
  endTokenKey,
  listTenantKeys,
  listTenantTokenKeys,
  readApiKeyOf,
  readTokenKeyOf,
  revokeApiKey,
} from '../../platform/tenants/manage-tenants.ts'
import { rotateApiKey } from '../../platform/tenants/rotate-api-key.ts'
import type { RegisteredTokenKey } from '../../platform/tenants/store.ts'
import type { ListedApiKey } from '../../platform/tenants/store.ts'
import { readEventFeed } from '../../platform/webhooks/read-event-feed.ts'
import type { App } from '../http/app-types.ts'
import { rowsBehind } from '../http/rows-behind.ts'
import { serveOnce } from '../http/serve-once.ts'
import { serve } from '../http/serve.ts'
import { checkedPeriod } from './checked-period.ts'

/** The tenant's own management, and its event feed. */
export async function managementRoutes(app: App, deps: Deps): Promise<void> {
  const { db, paging } = deps
  apiKeyRoutes(app, deps)
  tokenKeyRoutes(app, deps)

  serve(app, reviews.revokeViewerToken, async ({ body: { jti }, tenantId }) =>
    revokeViewerToken(deps, { tenantId, jti }),
  )

  serve(app, management.listEvents, async ({ query, tenantId }) => {
    const { after, type } = query
    const scope = { list: 'events', tenantId, filters: { after, type } }
    const data = await paging.page(query, scope, {
      rows: ({ limit, after: cursor }) =>
        readEventFeed(deps, { tenantId, type, after, cursor, limit }),
      positionOf: ({ position }) => String(position),
      present: ({ body }) => JSON.parse(body) as EventBody,
    })
    return { data }
  })

  serve(app, management.listDownloadAccesses, async ({ query, tenantId }) => {
    const { recording_id: recordingId } = query
    const scope = { list: 'access-log', tenantId, filters: { recordingId } }
    const data = await paging.page(query, scope, {
      rows: ({ limit, after }) => {
        const before = after === undefined ? after : BigInt(after)
        return listAccesses(db, { tenantId, recordingId, before, limit })
      },
      positionOf: ({ id }) => String(id),
      present: presentAccess,
    })
    return { data }
  })

  serve(app, management.getUsage, async ({ query, tenantId, tenantLimits }) => {
    const period = { tenantId, ...checkedPeriod(query) }
    return { data: await readUsage(deps, { tenantLimits, ...period }) }
  })
}

function endOfKey(given: string | undefined, now: Date): Date | null {
  const expiresAt = given === undefined ? null : checkedDateTime(given)
  if (expiresAt === null || expiresAt > now) return expiresAt
  throw refuseField('VALIDATION_ERROR', {
    field: 'expires_at',
    code: 'IN_PAST',
    message: 'must be in the future',
  })
}

async function presentIssued(
  db: Db,
  tenantId: string,
  { keyId, apiKey }: { keyId: string; apiKey: string },
) {
  const key = await readApiKeyOf(db, { tenantId, keyId })
  if (key === undefined) throw new Error('an API key was not stored')
  const location = `/api/v1/api-keys/${keyId}`
  return { headers: { location }, data: { ...presentApiKey(key), api_key: apiKey } }
}

function apiKeyRoutes(app: App, { db, clock, paging }: Deps): void {
  serve(app, management.listApiKeys, async ({ query, tenantId }) => {
    const scope = { list: 'api-keys', tenantId, filters: {} }
    const data = await paging.page(query, scope, {
      rows: async (request) =>
        rowsBehind(await listTenantKeys(db, tenantId), ({ keyId }) => keyId, request),
      positionOf: ({ keyId }) => keyId,
      present: presentApiKey,
    })
    return { data }
  })

  serve(app, management.issueApiKey, async ({ body, tenantId }) => {
    const { note = null, scopes = ['control'] } = body
    const expiresAt = endOfKey(body.expires_at, clock())
    return presentIssued(db, tenantId, await issueApiKey(db, { tenantId, note, scopes, expiresAt }))
  })

  serve(app, management.rotateApiKey, async ({ params, body, tenantId }) => {
    const { key_id: keyId } = params
    const { overlap_seconds: overlapSec = API_KEY_OVERLAP_DEFAULT_SEC, expires_at: end } =
      body ?? {}
    const expiresAt = endOfKey(end, clock())
    const issued = await rotateApiKey(db, { tenantId, keyId, overlapSec, expiresAt })
    if (issued !== undefined) return presentIssued(db, tenantId, issued)
    const old = await readApiKeyOf(db, { tenantId, keyId })
    if (old === undefined) throw new ServiceError('NOT_FOUND')
    throw refuseField('VALIDATION_ERROR', {
      field: 'key_id',
      code: 'NOT_ALLOWED',
      message: 'was revoked or has expired',
    })
  })

  serve(app, management.getApiKey, async ({ params, tenantId }) => {
    const key = await readApiKeyOf(db, { tenantId, keyId: params.key_id })
    if (key === undefined) throw new ServiceError('NOT_FOUND')
    return { data: presentApiKey(key) }
  })

  serve(app, management.revokeApiKey, async ({ params, tenantId }) => {
    const isThere = await revokeApiKey(db, { tenantId, keyId: params.key_id })
    if (!isThere) throw new ServiceError('NOT_FOUND')
  })
}

function tokenKeyRoutes(app: App, deps: Deps): void {
  const { db, paging } = deps

  serve(app, management.listTokenKeys, async ({ query, tenantId }) => {
    const scope = { list: 'token-keys', tenantId, filters: {} }
    const data = await paging.page(query, scope, {
      rows: async (request) =>
        rowsBehind(await listTenantTokenKeys(db, tenantId), ({ kid }) => kid, request),
      positionOf: ({ kid }) => kid,
      present: presentTokenKey,
    })
    return { data }
  })

  serveOnce({ app, deps }, management.registerTokenKey, {
    handle: async ({ body, tenantId }, tx) => {
      const { kid, alg, public_jwk: publicJwk, allowed_roles: allowedRoles } = body
      const [notBefore, notAfter] = periodOf(body)
      const key = { tenantId, kid, alg, publicJwk, notBefore, notAfter }
      const withRoles = allowedRoles === undefined ? key : { ...key, allowedRoles }
      await addTokenKey(tx, withRoles).catch(refuseTokenKey)
      const stored = await readTokenKeyOf(tx, { tenantId, kid })
      if (stored === undefined) throw new Error('a token key was not stored')
      const location = `/api/v1/token-keys/${encodeURIComponent(kid)}`
      return { headers: { location }, data: presentTokenKey(stored) }
    },
  })

  serve(app, management.getTokenKey, async ({ params, tenantId }) => {
    const key = await readTokenKeyOf(db, { tenantId, kid: params.kid })
    if (key === undefined) throw new ServiceError('NOT_FOUND')
    return { data: presentTokenKey(key) }
  })

  serve(app, management.patchTokenKey, async ({ params, body, tenantId }) => {
    const { kid } = params
    await endTokenKey(db, { tenantId, kid, status: body.status })
    const key = await readTokenKeyOf(db, { tenantId, kid })
    if (key === undefined) throw new ServiceError('NOT_FOUND')
    return { data: presentTokenKey(key) }
  })
}

/** Throws 422 VALIDATION_ERROR for an end that is not after the start. */
function periodOf(key: {
  not_before?: string
  not_after?: string
}): [notBefore: Date | null, notAfter: Date | null] {
  const notBefore = key.not_before === undefined ? null : checkedDateTime(key.not_before)
  const notAfter = key.not_after === undefined ? null : checkedDateTime(key.not_after)
  if (notBefore === null || notAfter === null || notBefore < notAfter) return [notBefore, notAfter]
  throw refuseField('VALIDATION_ERROR', {
    field: 'not_after',
    code: 'OUT_OF_RANGE',
    message: 'must be after not_before',
  })
}

function refuseTokenKey(error: unknown): never {
  if (!(error instanceof TokenKeyError)) throw error
  const { message, isNameInUse } = error
  const detail = isNameInUse
    ? ({
        field: 'kid',
        code: 'DUPLICATE',
        message: 'must differ from the kid of your other keys',
      } as const)
    : ({ field: 'public_jwk', code: 'NOT_ALLOWED', message } as const)
  throw refuseField('VALIDATION_ERROR', detail)
}

function presentApiKey(key: ListedApiKey): ApiKeyBody {
  return {
    key_id: key.keyId,
    note: key.note,
    scopes: key.scopes,
    created_at: key.createdAt.toISOString(),
    expires_at: key.expiresAt?.toISOString() ?? null,
    last_used_at: key.lastUsedAt?.toISOString() ?? null,
    revoked_at: key.revokedAt?.toISOString() ?? null,
  }
}

function presentTokenKey(key: RegisteredTokenKey): TokenKeyBody {
  return {
    kid: key.kid,
    alg: key.alg,
    public_jwk: key.publicJwk,
    status: key.status,
    allowed_roles: [...key.allowedRoles],
    not_before: key.notBefore?.toISOString() ?? null,
    not_after: key.notAfter?.toISOString() ?? null,
    created_at: key.createdAt.toISOString(),
  }
}

function presentAccess(access: LoggedAccess): DownloadAccessBody {
  return {
    id: String(access.id),
    recording_id: access.recordingId,
    processed_recording_id: access.processedRecordingId,
    clip_id: access.clipId,
    reel_id: access.reelId,
    transcription_id: access.transcriptionId,
    purpose: access.purpose,
    api_key_id: access.apiKeyId,
    viewer: presentViewer(access),
    issued_at: access.issuedAt.toISOString(),
    expires_at: access.expiresAt.toISOString(),
  }
}

function presentViewer({ viewerReference, viewerTokenId }: LoggedAccess) {
  if (viewerReference === null || viewerTokenId === null) return null
  return { reference: viewerReference, token_id: viewerTokenId }
}
