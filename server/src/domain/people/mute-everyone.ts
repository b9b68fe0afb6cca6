import { CAPABILITIES } from '@interview-room/contract/capabilities.ts'
import { ROLES } from '@interview-room/contract/vocabulary.ts'
import { inTransaction } from '../../platform/db/db.ts'
import type { Deps } from '../../platform/ports/deps.ts'
import { MediaError } from '../../platform/ports/media.ts'
import { findPerson, type PersonInRoom } from './find-person.ts'
import { muteAtProvider, publishMute } from './mute-participant.ts'
import { listPresentPeople } from './present-store.ts'
import { lockRoomAsParticipant } from './require-holder.ts'
import type { TicketHolder } from './ticket.ts'

const hasMicrophone = ({ role }: Pick<PersonInRoom, 'role'>): boolean =>
  CAPABILITIES[role].canPublishMicrophone

type MuteDeps = Pick<Deps, 'db' | 'media' | 'clock' | 'log'>

interface MutedPerson extends PersonInRoom {
  identity: string
}

/**
 * Mutes everyone else who is present, as `muteParticipant` does, and returns them. A person whose entry is not stored yet
 * may already be heard, so the provider is asked for further connections.
 */
export async function muteEveryone(deps: MuteDeps, moderator: TicketHolder): Promise<string[]> {
  const { roomId, mediaIdentity } = moderator
  const present = await listPresentPeople(deps.db, roomId, ROLES)
  const known = new Set([mediaIdentity, ...present.map(({ identity }) => identity)])
  const noted = present.filter((each) => each.identity !== mediaIdentity && hasMicrophone(each))
  const mute = async (people: readonly MutedPerson[]) => {
    await Promise.all(people.map(({ identity }) => muteAtProvider(deps, { moderator, identity })))
    return people
  }
  // Mute before notifying the pages: a person who unmutes after that must stay unmuted.
  const muted = await Promise.all([mute(noted), findOthers(deps, roomId, known).then(mute)])
  const people = muted.flat()
  await inTransaction(deps.db, async (tx) => {
    const locked = await lockRoomAsParticipant(tx, deps.clock, moderator)
    for (const person of people) {
      await publishMute(tx, locked, { mute: { moderator, identity: person.identity }, person })
    }
  })
  return people.map(({ identity }) => identity)
}

/** Other connected people with a microphone. Returns none if the provider does not answer. */
async function findOthers(
  { db, media, log }: MuteDeps,
  roomId: string,
  known: ReadonlySet<string>,
): Promise<MutedPerson[]> {
  const connections = await media.listConnections(roomId).catch((error: unknown) => {
    if (!(error instanceof MediaError)) throw error
    log.warn({ err: error, room: roomId }, 'listing the connections to mute failed')
    return undefined
  })
  const others: MutedPerson[] = []
  for (const { identity, isPerson } of connections ?? []) {
    if (!isPerson || known.has(identity)) continue
    const person = await findPerson(db, { roomId, identity })
    if (person !== undefined && hasMicrophone(person)) others.push({ ...person, identity })
  }
  return others
}
