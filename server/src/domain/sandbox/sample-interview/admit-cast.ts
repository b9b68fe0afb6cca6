import { randomUUID } from 'node:crypto'
import type { ConsentPurpose, Role } from '@interview-room/contract/vocabulary.ts'
import { CONSENT_PURPOSES } from '@interview-room/contract/vocabulary.ts'
import type { Deps } from '../../../platform/ports/deps.ts'
import { admitParticipant, holderOf } from '../../people/admit.ts'
import type { TicketHolder } from '../../people/ticket.ts'
import type { RoomKey } from '../../room-log/room-lock.ts'
import { ORIGIN } from '../enter-person.ts'
import { CAST } from './sample-events.ts'

/** A person of the sample interview, in their role. */
export interface Player {
  holder: TicketHolder
  /** The purposes for which they are asked for consent. */
  asked: ConsentPurpose[]
  enters: Date
  leaves: Date
}

export type Cast = ReadonlyMap<Role, Player>

/** Admits everybody as their participant tokens would. */
export async function admitCast(
  { db }: Pick<Deps, 'db'>,
  { begins, ...room }: RoomKey & { begins: Date },
): Promise<Cast> {
  const cast = new Map<Role, Player>()
  for (const { role, name, entersSec, leavesSec } of CAST) {
    const enters = new Date(begins.getTime() + entersSec * 1000)
    const identity = { kind: 'external', externalType: 'Sample', externalId: role } as const
    const claims = { ...room, identity, role, displayName: name, jti: randomUUID() }
    const entry = { origin: ORIGIN, alsoRead: async () => {} }
    const granted = await admitParticipant({ db, clock: () => enters }, claims, entry)
    cast.set(role, {
      holder: holderOf(granted),
      asked: CONSENT_PURPOSES.filter((purpose) => granted.consents[purpose] === 'pending'),
      enters,
      leaves: new Date(begins.getTime() + leavesSec * 1000),
    })
  }
  return cast
}
