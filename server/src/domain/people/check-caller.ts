import type { Role } from '@interview-room/contract/vocabulary.ts'
import type { Deps } from '../../platform/ports/deps.ts'
import { checkAdmissible, checkStillAdmitted } from './admit.ts'
import type { VerifiedRequest } from './credential.ts'

/** A caller who is inside or about to enter. */
export interface Caller {
  tenantId: string
  role: Role
}

/**
 * Checks that the holder of a room ticket or a participant token may be in the room now. It admits nobody and writes
 * nothing. Throws the refusals of admission.
 */
export async function checkCaller(
  deps: Pick<Deps, 'db' | 'clock' | 'config' | 'tokenKeys'>,
  { credential }: VerifiedRequest,
): Promise<Caller> {
  if (credential === null) throw new Error('a route checks its caller without a credential')
  if (credential.kind === 'ticket') {
    await checkStillAdmitted(deps, credential.holder)
    return credential.holder
  }
  await checkAdmissible(deps, credential.claims)
  return credential.claims
}
