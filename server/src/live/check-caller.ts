import type { Role } from '@interview-room/contract/vocabulary.ts'
import type { Deps } from '../deps.ts'
import { checkAdmissible, checkStillAdmitted } from '../participants/admit.ts'
import { claimsOf } from './claims.ts'
import { isTicket, type Tickets } from './ticket.ts'

/** A request of the participant plane that may come with either credential. */
interface Call {
  authorization: string | undefined
  roomId: string
}

/**
 * Whoever may be in the room now, by a room ticket or by a participant token. Asks the gate and
 * changes nothing: nobody is admitted by it. Throws what the gate refuses with.
 */
export async function checkCaller(
  deps: Pick<Deps, 'db' | 'clock' | 'config' | 'publishedKeys'>,
  tickets: Tickets,
  call: Call,
): Promise<{ tenantId: string; role: Role }> {
  if (isTicket(call.authorization)) {
    const holder = await tickets.verify(call.authorization, call.roomId)
    await checkStillAdmitted(deps, holder)
    return holder
  }
  const claims = await claimsOf(deps, call)
  await checkAdmissible(deps, claims)
  return claims
}
