import type { FastifyRequest } from 'fastify'
import { ServiceError } from '../../platform/lib/service-error.ts'
import type { Deps } from '../../platform/ports/deps.ts'
import { readApiKey } from '../../platform/tenants/api-key.ts'
import { createApiKeyVerifier } from '../../platform/tenants/verify-api-key.ts'

/**
 * The hook of the control plane: API key -> `request.tenantId` and `request.apiKeyId`. Runs before
 * the body is read, and refuses every failure with the same 401.
 */
export function controlAuth(
  deps: Pick<Deps, 'db' | 'clock'>,
): (request: FastifyRequest) => Promise<void> {
  const verify = createApiKeyVerifier(deps)
  return async (request) => {
    const tenantId = await verify(request.headers.authorization)
    if (tenantId === undefined) {
      throw new ServiceError('UNAUTHORIZED', { headers: { 'www-authenticate': 'ApiKey' } })
    }
    request.tenantId = tenantId
    request.apiKeyId = readApiKey(request.headers.authorization)?.keyId ?? ''
  }
}
