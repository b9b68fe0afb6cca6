import { ROLES } from '@interview-room/contract/vocabulary.ts'
import type { LocalFile, Service } from './service.ts'

const KEY = { kid: 'e2e-1', alg: 'ES256' }

/** A tenant of its own on a running service, made by the operator's commands; it may sign every role. */
export async function makeTenant(
  service: Pick<Service, 'admin' | 'local'>,
  name: string,
  ...flags: '--sandbox'[]
): Promise<LocalFile> {
  const admin = async <T>(...args: string[]) => (await service.admin(...args)) as T
  const create = ['tenants', 'create', '--name', name, ...flags]
  const { tenant_id } = await admin<{ tenant_id: string }>(...create)
  const whose = ['--tenant', tenant_id]
  const { api_key } = await admin<{ api_key: string }>('api-keys', 'issue', ...whose)
  const roles = ROLES.flatMap((role) => ['--role', role])
  const pair = ['--kid', KEY.kid, '--alg', KEY.alg, '--generate', ...roles]
  const added = await admin<{ private_jwk: JsonWebKey }>('token-keys', 'add', ...whose, ...pair)
  return {
    base_url: service.local.base_url,
    tenant_id,
    api_key,
    token_key: { ...KEY, private_jwk: added.private_jwk },
  }
}
