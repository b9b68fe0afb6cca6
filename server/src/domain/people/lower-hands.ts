import { POSTED_EVENT_AUDIENCE } from '@interview-room/contract/live-moderation.ts'
import type { PostedEvent } from '@interview-room/contract/live-stream.ts'
import type { Tx } from '../../platform/db/db.ts'
import { ServiceError } from '../../platform/lib/service-error.ts'
import { appendRoomEvent } from '../room-log/append-room-event.ts'
import { publishLiveEvent } from '../room-log/publish-live-event.ts'
import type { LockedRoomKey } from '../room-log/room-lock.ts'
import { findPerson } from './find-person.ts'
import { isHandRaised, listPresentPeople } from './present-store.ts'
import type { TicketHolder } from './ticket.ts'

const TYPE = 'hand.lowered'

interface HandOwner {
  participantId: string | null
  identity: string
  displayName: string
}

/** Lowers a person's hand if it is raised. Returns the person whose hand was lowered. Throws 404 NOT_FOUND. */
export async function lowerHand(
  tx: Tx,
  locked: LockedRoomKey,
  { identity, by }: { identity: string; by: TicketHolder },
): Promise<string[]> {
  const whose = { roomId: locked.roomId, identity }
  const person = await findPerson(tx, whose)
  if (person === undefined) throw new ServiceError('NOT_FOUND')
  if (!(await isHandRaised(tx, whose))) return []
  return lower(tx, locked, { people: [{ ...person, identity }], by })
}

/** Lowers the hands of everyone present. Returns the people whose hands were lowered. */
export async function lowerAllHands(
  tx: Tx,
  locked: LockedRoomKey,
  by: TicketHolder,
): Promise<string[]> {
  const present = await listPresentPeople(tx, locked.roomId, POSTED_EVENT_AUDIENCE[TYPE].senders)
  return lower(tx, locked, { people: present.filter((each) => each.hasHandRaised), by })
}

async function lower(
  tx: Tx,
  locked: LockedRoomKey,
  { people, by }: { people: readonly HandOwner[]; by: TicketHolder },
): Promise<string[]> {
  for (const { participantId, identity, displayName } of people) {
    const owner = { participant_id: participantId, identity, display_name: displayName }
    const added = { by: by.participantId }
    const { at } = await appendRoomEvent(tx, {
      ...locked,
      eventType: TYPE,
      payload: { ...owner, ...added },
    })
    const event: PostedEvent = {
      type: TYPE,
      ...owner,
      payload: added,
      created_at: at.toISOString(),
    }
    const { receivers } = POSTED_EVENT_AUDIENCE[TYPE]
    await publishLiveEvent(tx, locked, { name: 'fact', roles: receivers, payload: event })
  }
  if (people.length > 0) await publishLiveEvent(tx, locked, { name: 'roster' })
  return people.map(({ identity }) => identity)
}
