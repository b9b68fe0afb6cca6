import type { FastifyReply, FastifyRequest } from 'fastify'
import { ServiceError } from '../../platform/lib/service-error.ts'
import type { Deps } from '../../platform/ports/deps.ts'
import { refuseApiKey } from '../../platform/tenants/api-key-refusal.ts'
import { createRequestBudget } from '../../platform/tenants/request-budget.ts'
import { limitsOf } from '../../platform/tenants/tenant-limits.ts'
import { createApiKeyVerifier } from '../../platform/tenants/verify-api-key.ts'

/** Name of the only limit, as a string of RFC 9651. */
const POLICY = '"requests"'
const WINDOW_SEC = 60
const BEARER = /^bearer /i

/**
 * The hook of the control plane: API key -> `request.tenantId`, `apiKeyId` and `tenantLimits`; of an operation that
 * viewers may call, also viewer token -> `request.viewer`, which uses up nothing of the tenant's requests. Runs
 * before the body is read, and refuses every failure with the same 401, a scope that is missing among
 * them; then 429 RATE_LIMIT_EXCEEDED where the tenant's requests of this minute are used up. What is
 * urgent is counted, and never refused.
 */
export function controlAuth(
  deps: Deps,
  admitViewer: (request: FastifyRequest) => Promise<void>,
): (request: FastifyRequest, reply: FastifyReply) => Promise<void> {
  const verify = createApiKeyVerifier(deps)
  const takeRequest = createRequestBudget(deps)

  async function admitKey(request: FastifyRequest, reply: FastifyReply): Promise<void> {
    const holder = await verify(request.headers.authorization)
    const scope = request.routeOptions.config.operation?.scope ?? 'control'
    if (!holder.scopes.includes(scope)) throw refuseApiKey('SCOPE_MISSING', holder.keyId)
    request.tenantId = holder.tenantId
    request.apiKeyId = holder.keyId
    request.tenantLimits = limitsOf(holder.limits, deps.config.tenantLimits)
    const limit = request.tenantLimits.requestsPerMin
    if (limit === null) return
    const { isAllowed, remaining, resetSec } = await takeRequest(holder.tenantId, limit)
    void reply.headers({
      'ratelimit-policy': `${POLICY};q=${limit};w=${WINDOW_SEC}`,
      ratelimit: `${POLICY};r=${remaining};t=${resetSec}`,
      'ratelimit-limit': String(limit),
      'ratelimit-remaining': String(remaining),
      'ratelimit-reset': String(resetSec),
    })
    if (isAllowed || request.routeOptions.config.isUrgent === true) return
    throw new ServiceError('RATE_LIMIT_EXCEEDED', {
      headers: { 'retry-after': String(resetSec) },
    })
  }

  return async (request, reply) => {
    if (request.routeOptions.config.operation?.viewerMay === undefined) {
      return admitKey(request, reply)
    }
    const isToken = BEARER.test(request.headers.authorization ?? '')
    await (isToken ? admitViewer(request) : admitKey(request, reply)).catch(refuseAsEither)
  }
}

/** One and the same answer, whichever credential was tried. */
function refuseAsEither(error: unknown): never {
  if (!(error instanceof ServiceError) || error.code !== 'UNAUTHORIZED') throw error
  const { note, reasonCode, cause } = error
  throw new ServiceError('UNAUTHORIZED', {
    headers: { 'www-authenticate': 'ApiKey, Bearer' },
    ...(note !== undefined && { note }),
    ...(reasonCode !== undefined && { reasonCode }),
    cause,
  })
}
