import type { Role } from '@interview-room/contract/vocabulary.ts'
import type { Deps } from '../../platform/ports/deps.ts'
import { checkAdmissible, checkStillAdmitted } from './admit.ts'
import type { VerifiedRequest } from './credential.ts'

/** Who asks from inside, or before entering. */
export interface Caller {
  tenantId: string
  role: Role
}

/**
 * The caller who may be in the room now, by a room ticket or by a participant token. Checks admission and
 * changes nothing: nobody is admitted by it. Throws the refusals of admission.
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
