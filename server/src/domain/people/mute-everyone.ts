import { CAPABILITIES } from '@interview-room/contract/capabilities.ts'
import { ROLES } from '@interview-room/contract/vocabulary.ts'
import { inTransaction } from '../../platform/db/db.ts'
import { isUuid } from '../../platform/lib/uuid.ts'
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
 * Mutes everyone else who is present, each as `muteParticipant` does; answers whom. Somebody whose connection is not
 * noted yet may be heard already: the provider is asked for them.
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
  // Before the pages learn of it: a person who unmutes then must stay unmuted.
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

/** Who is connected besides these, and has a microphone; nobody while the provider does not say. */
async function findOthers(
  { db, media, log }: MuteDeps,
  roomId: string,
  known: ReadonlySet<string>,
): Promise<MutedPerson[]> {
  const connections = await media.listConnections(roomId).catch((error: unknown) => {
    if (!(error instanceof MediaError)) throw error
    log.warn({ err: error, room: roomId }, 'asking the provider whom to mute failed')
    return undefined
  })
  const others: MutedPerson[] = []
  for (const { identity, isPerson } of connections ?? []) {
    if (!isPerson || known.has(identity) || !isUuid(identity)) continue
    const person = await findPerson(db, { roomId, identity })
    if (person !== undefined && hasMicrophone(person)) others.push({ ...person, identity })
  }
  return others
}
