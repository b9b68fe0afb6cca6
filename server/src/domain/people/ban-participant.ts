import type { Tx } from '../../platform/db/db.ts'
import { enqueue } from '../../platform/jobs/enqueue.ts'
import type { Clock } from '../../platform/lib/clock.ts'
import { cleanFreeText } from '../../platform/lib/free-text.ts'
import { ServiceError } from '../../platform/lib/service-error.ts'
import type { Deps } from '../../platform/ports/deps.ts'
import { MediaError } from '../../platform/ports/media.ts'
import { lockRoom } from '../booking/lock-room.ts'
import { appendRoomEvent } from '../room-log/append-room-event.ts'
import { publishLiveEvent } from '../room-log/publish-live-event.ts'
import type { LockedRoomKey } from '../room-log/room-lock.ts'
import { listSamePerson, markBanned } from './participant-store.ts'
import { removeParticipantRequest } from './remove-participant.job.ts'

export interface Ban {
  tenantId: string
  roomId: string
  participantId: string
  /** Written to the room's log, cleaned. */
  reason: string
  /** The person who bans from inside the room; undefined for the tenant. */
  by?: string | null
}

/**
 * Bans the person from the room for good, with the participants of all their roles. No token lets them in again. A repeat
 * changes nothing, and the first reason stays. Throws 404 NOT_FOUND.
 */
export async function banParticipant(tx: Tx, ban: Ban, clock: Clock): Promise<void> {
  const { roomId, participantId, reason, by } = ban
  // Read the time of the ban only with the lock, when no entry is still on its way.
  const locked = await lockRoom(tx, ban)
  const participantIds = await listSamePerson(tx, { roomId, participantId })
  if (participantIds.length === 0) throw new ServiceError('NOT_FOUND')
  for (const id of participantIds)
    await banOne(tx, locked, { participantId: id, reason, by, at: clock() })
}

/** True if both are the same person, in whatever roles. */
export async function isSamePerson(
  tx: Tx,
  { roomId, participantId }: Pick<Ban, 'roomId' | 'participantId'>,
  other: string,
): Promise<boolean> {
  return (await listSamePerson(tx, { roomId, participantId })).includes(other)
}

interface OneBan {
  participantId: string
  reason: string
  by: string | null | undefined
  at: Date
}

async function banOne(
  tx: Tx,
  locked: LockedRoomKey,
  { participantId, reason, by, at }: OneBan,
): Promise<void> {
  const { roomId } = locked
  if (!(await markBanned(tx, { roomId, participantId, at }))) return
  await enqueue(tx, removeParticipantRequest({ roomId, mediaIdentity: participantId }))
  await appendRoomEvent(tx, {
    ...locked,
    eventType: 'participant.banned',
    payload: {
      participant_id: participantId,
      reason: cleanFreeText(reason),
      ...(by !== undefined && { by }),
    },
  })
  await publishLiveEvent(tx, locked, {
    name: 'removed',
    participantId,
    payload: { reason: 'banned' },
  })
}

/** Runs right after the commit, so that nobody stays until the job runs. The job repeats a failed attempt. */
export async function removeBanned(
  { db, media, log }: Pick<Deps, 'db' | 'media' | 'log'>,
  { roomId, participantId }: Pick<Ban, 'roomId' | 'participantId'>,
): Promise<void> {
  const ids = await listSamePerson(db, { roomId, participantId })
  // The provider knows a person by the participant id. For a visitor of the simple route, `participantId` is already the
  // media identity.
  await disconnect({ media, log }, { roomId, identities: ids.length > 0 ? ids : [participantId] })
}

/** Returns false if the provider did not confirm it; then a job has to. */
export async function disconnect(
  { media, log }: Pick<Deps, 'media' | 'log'>,
  { roomId, identities }: { roomId: string; identities: readonly string[] },
): Promise<boolean> {
  try {
    for (const identity of identities) await media.removeConnection(roomId, identity)
    return true
  } catch (error) {
    if (!(error instanceof MediaError)) throw error
    log.warn({ err: error, room: roomId }, 'participant removal failed, will be retried')
    return false
  }
}
