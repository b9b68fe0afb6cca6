import type { ErasedCounts, RemainingData } from '@interview-room/contract/data-protection.ts'
import { SignJWT } from 'jose'
import type { Deps } from '../../platform/ports/deps.ts'
import { SERVICE_KEY_ALG } from '../../platform/service-keys/service-keys.ts'
import type { Erasure } from './erasure.ts'

const TYPE = 'erasure-receipt+jwt'

/**
 * Signs what an erasure removed and what stays. Names the person by the keyed hash alone; without an end, and
 * verified by the public keys of the service.
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
