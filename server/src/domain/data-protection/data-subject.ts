import { createHmac, hkdfSync } from 'node:crypto'
import type { Deps } from '../../platform/ports/deps.ts'
import type { DataSubject } from './erasure.ts'

/** Builds the reference from a request. An integer becomes its decimal digits. */
export function dataSubjectOf(
  tenantId: string,
  { external_type, external_id }: { external_type: string; external_id: string | number },
): DataSubject {
  return { tenantId, externalType: external_type, externalId: String(external_id) }
}

/**
 * The person as a keyed hash, 64 hexadecimal digits. The same reference of a tenant always has the same hash. Without the
 * service's SECRETS_KEY, nobody can find the reference by trying them all.
 */
export function hashSubject(
  { config }: Pick<Deps, 'config'>,
  { tenantId, externalType, externalId }: DataSubject,
): string {
  const key = Buffer.from(hkdfSync('sha256', config.secretsKey, '', 'data subjects', 32))
  const named = JSON.stringify([tenantId, externalType, externalId])
  return createHmac('sha256', key).update(named).digest('hex')
}
