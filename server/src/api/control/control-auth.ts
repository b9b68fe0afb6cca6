import type { FastifyRequest } from 'fastify'
import { ServiceError } from '../../platform/lib/service-error.ts'
import type { Deps } from '../../platform/ports/deps.ts'
import { createApiKeyVerifier } from '../../platform/tenants/verify-api-key.ts'

/**
 * The hook of the control plane: API key -> `request.tenantId` and `request.apiKeyId`. Runs before
 * the body is read, and refuses every failure with the same 401, a scope that is missing among them.
 */
export function controlAuth(
  deps: Pick<Deps, 'db' | 'clock'>,
): (request: FastifyRequest) => Promise<void> {
  const verify = createApiKeyVerifier(deps)
  return async (request) => {
    const holder = await verify(request.headers.authorization)
    const scope = request.routeOptions.config.operation?.scope ?? 'control'
    if (holder === undefined || !holder.scopes.includes(scope)) {
      throw new ServiceError('UNAUTHORIZED', { headers: { 'www-authenticate': 'ApiKey' } })
    }
    request.tenantId = holder.tenantId
    request.apiKeyId = holder.keyId
  }
}
