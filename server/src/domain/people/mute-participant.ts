import { CAPABILITIES } from '@interview-room/contract/capabilities.ts'
import { inTransaction, type Query, type Tx } from '../../platform/db/db.ts'
import { refuseField, ServiceError } from '../../platform/lib/service-error.ts'
import type { Deps } from '../../platform/ports/deps.ts'
import { MediaError } from '../../platform/ports/media.ts'
import { appendRoomEvent } from '../room-log/append-room-event.ts'
import { publishLiveEvent } from '../room-log/publish-live-event.ts'
import type { LockedRoomKey } from '../room-log/room-lock.ts'
import { findVisitor } from './admission-store.ts'
import { findPerson, type PersonInRoom } from './find-person.ts'
import { lockRoomAsParticipant } from './require-holder.ts'
import type { TicketHolder } from './ticket.ts'

export interface Mute {
  moderator: TicketHolder
  /** The identity in the roster: the participant's id, or a visitor's own. */
  identity: string
}

/**
 * Mutes a person's microphone once and notifies the page, which mutes it if the provider did not. Throws 404 NOT_FOUND, 422
 * NOT_ALLOWED for a person without a microphone.
 */
export async function muteParticipant(
  deps: Pick<Deps, 'db' | 'media' | 'clock' | 'log'>,
  mute: Mute,
): Promise<void> {
  const person = await findMutable(deps.db, mute)
  // Mute before notifying the page: from then on the person may unmute, and must not be muted again after that.
  await muteAtProvider(deps, mute)
  await inTransaction(deps.db, async (tx) => {
    const locked = await lockRoomAsParticipant(tx, deps.clock, mute.moderator)
    await publishMute(tx, locked, { mute, person })
  })
}

async function findMutable(
  query: Query,
  { moderator: { roomId }, identity }: Mute,
): Promise<PersonInRoom> {
  const person = await findPerson(query, { roomId, identity })
  if (person === undefined) throw new ServiceError('NOT_FOUND')
  if (!CAPABILITIES[person.role].canPublishMicrophone) throw noMicrophone()
  return person
}

/** Mutes for everybody immediately, whatever the page does. If the provider fails, the page mutes. */
export async function muteAtProvider(
  { media, log }: Pick<Deps, 'media' | 'log'>,
  { moderator, identity }: Mute,
): Promise<void> {
  try {
    await media.muteMicrophone(moderator.roomId, identity)
  } catch (error) {
    if (!(error instanceof MediaError)) throw error
    log.warn({ err: error, room: moderator.roomId }, 'muting at the provider failed')
  }
}

/** Logs the muting and asks the page to mute. */
export async function publishMute(
  tx: Tx,
  locked: LockedRoomKey,
  {
    mute: { moderator, identity },
    person,
  }: { mute: Mute; person: Pick<PersonInRoom, 'participantId' | 'displayName'> },
): Promise<void> {
  const { participantId, displayName } = person
  await appendRoomEvent(tx, {
    ...locked,
    eventType: 'participant.muted',
    payload: {
      participant_id: participantId,
      ...(participantId === null && { identity, display_name: displayName }),
      by: moderator.participantId,
    },
  })
  const whose =
    participantId === null ? await pageOfVisitor(tx, locked, identity) : { participantId }
  if (whose !== undefined) await publishLiveEvent(tx, locked, { name: 'mute_requested', ...whose })
}

/** Undefined for a guest, who has no page. */
async function pageOfVisitor(
  tx: Tx,
  { roomId }: LockedRoomKey,
  identity: string,
): Promise<{ admissionId: string } | undefined> {
  const visitor = await findVisitor(tx, { roomId, identity })
  return visitor === undefined || visitor.isGuest ? undefined : visitor
}

function noMicrophone(): ServiceError {
  return refuseField('VALIDATION_ERROR', {
    field: 'participant_id',
    code: 'NOT_ALLOWED',
    message: 'must be a moderator or a panelist: other roles have no microphone',
  })
}
