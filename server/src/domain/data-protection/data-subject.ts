import { createHmac, hkdfSync } from 'node:crypto'
import type { Deps } from '../../platform/ports/deps.ts'
import type { DataSubject } from './erasure.ts'

/** A reference as requests have it: an integer is its decimal digits. */
export function dataSubjectOf(
  tenantId: string,
  { external_type, external_id }: { external_type: string; external_id: string | number },
): DataSubject {
  return { tenantId, externalType: external_type, externalId: String(external_id) }
}

/**
 * The person as a keyed hash, 64 hexadecimal digits: the same for the same reference of a tenant, and nobody
 * finds the reference by trying all of them without the service's SECRETS_KEY.
 */
export function hashSubject(
  { config }: Pick<Deps, 'config'>,
  { tenantId, externalType, externalId }: DataSubject,
): string {
  const key = Buffer.from(hkdfSync('sha256', config.secretsKey, '', 'data subjects', 32))
  const named = JSON.stringify([tenantId, externalType, externalId])
  return createHmac('sha256', key).update(named).digest('hex')
}
