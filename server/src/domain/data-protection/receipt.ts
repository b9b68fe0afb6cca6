import type { ErasedCounts, RemainingData } from '@interview-room/contract/data-protection.ts'
import { SignJWT } from 'jose'
import type { Deps } from '../../platform/ports/deps.ts'
import { SERVICE_KEY_ALG } from '../../platform/service-keys/service-keys.ts'
import type { Erasure } from './erasure.ts'

const TYPE = 'erasure-receipt+jwt'

/**
 * Signs the list of removed and remaining data. The person appears only as the keyed hash. The receipt never expires and
 * verifies with the service's public keys.
 */
export async function signReceipt(
  { serviceKeys, config, clock }: Pick<Deps, 'serviceKeys' | 'config' | 'clock'>,
  { id, tenantId, subject, requestedAt, requestedBy, previousErasureId }: Erasure,
  facts: { state: 'blocked' | 'done'; removed: ErasedCounts; remains: readonly RemainingData[] },
): Promise<string> {
  const { kid, key } = await serviceKeys.signing()
  return new SignJWT({
    tenant: tenantId,
    requested_at: requestedAt.toISOString(),
    requested_by: requestedBy,
    previous_erasure_id: previousErasureId,
    ...facts,
  })
    .setProtectedHeader({ alg: SERVICE_KEY_ALG, typ: TYPE, kid })
    .setIssuer(config.publicUrl)
    .setSubject(subject)
    .setJti(id)
    .setIssuedAt(Math.floor(clock().getTime() / 1000))
    .sign(key)
}
