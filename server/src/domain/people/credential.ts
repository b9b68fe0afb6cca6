import type { ParticipantClaims } from './participant-token.ts'
import type { TicketHolder } from './ticket.ts'

/** The credential of a request to the participant plane, verified before the body was read. */
export type Credential =
  | { kind: 'ticket'; holder: TicketHolder }
  | { kind: 'token'; claims: ParticipantClaims }

/** A request whose credential was verified. Null if the route takes none, or takes it in the body. */
export interface VerifiedRequest {
  credential: Credential | null
}

/** Throws a defect if the route did not ask for a ticket. */
export function ticketOf({ credential }: VerifiedRequest): TicketHolder {
  if (credential?.kind === 'ticket') return credential.holder
  throw new Error('a route acts for a ticket holder without asking for a ticket')
}
