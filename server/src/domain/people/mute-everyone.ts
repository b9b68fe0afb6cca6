import { CAPABILITIES } from '@interview-room/contract/capabilities.ts'
import { ROLES, type Role } from '@interview-room/contract/vocabulary.ts'
import { inTransaction } from '../../platform/db/db.ts'
import type { Deps } from '../../platform/ports/deps.ts'
import { muteAtProvider, publishMute } from './mute-participant.ts'
import { listPresentPeople } from './present-store.ts'
import { lockRoomAsParticipant } from './require-holder.ts'
import type { TicketHolder } from './ticket.ts'

const WITH_MICROPHONE: readonly Role[] = ROLES.filter(
  (role) => CAPABILITIES[role].canPublishMicrophone,
)

/** Mutes everyone else who is present, each as `muteParticipant` does; answers whom. */
export async function muteEveryone(
  deps: Pick<Deps, 'db' | 'media' | 'clock' | 'log'>,
  moderator: TicketHolder,
): Promise<string[]> {
  const present = await listPresentPeople(deps.db, moderator.roomId, WITH_MICROPHONE)
  const others = present.filter(({ identity }) => identity !== moderator.mediaIdentity)
  const mutes = others.map((person) => ({
    person,
    mute: { moderator, identity: person.identity },
  }))
  // Before the pages learn of it: a person who unmutes then must stay unmuted.
  await Promise.all(mutes.map(({ mute }) => muteAtProvider(deps, mute)))
  await inTransaction(deps.db, async (tx) => {
    const locked = await lockRoomAsParticipant(tx, deps.clock, moderator)
    for (const each of mutes) await publishMute(tx, locked, each)
  })
  return others.map(({ identity }) => identity)
}
