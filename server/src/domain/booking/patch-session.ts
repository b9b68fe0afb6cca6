import type { SessionPatch } from '@interview-room/contract/sessions.ts'
import { inTransaction, type Tx } from '../../platform/db/db.ts'
import { enqueue } from '../../platform/jobs/enqueue.ts'
import { checkedDateTime } from '../../platform/lib/date-time.ts'
import { cleanFreeText } from '../../platform/lib/free-text.ts'
import { refuseImmutable } from '../../platform/lib/merge-patch.ts'
import { ServiceError } from '../../platform/lib/service-error.ts'
import type { Deps } from '../../platform/ports/deps.ts'
import { publishLiveEvent } from '../room-log/publish-live-event.ts'
import type { LockedRoom } from '../room-log/room-lock.ts'
import { lockRoom } from './lock-room.ts'
import { presentSlotTimes } from './present-session.ts'
import { resizeMediaRoomRequest } from './resize-media-room.job.ts'
import { hasEntries } from './room-store.ts'
import { findSession, type StoredSession, updateSession } from './session-store.ts'
import { isReleased, type SessionKey } from './session.ts'
import { refuseImpossibleSlot } from './slot.ts'

/**
 * Applies a merge patch to the booked slot; the media room's timeouts follow it.
 *
 * Throws 404 NOT_FOUND, 409 SESSION_RELEASED, 409 SESSION_ALREADY_STARTED, 422 IMMUTABLE_FIELD,
 * 422 INVALID_TIME_WINDOW, 400 INVALID_REQUEST.
 */
export async function patchSession(
  { db, clock }: Pick<Deps, 'db' | 'clock'>,
  key: SessionKey,
  patch: SessionPatch,
): Promise<StoredSession> {
  return inTransaction(db, async (tx) => {
    const session = await lockSession(tx, key)
    if (isReleased(session)) throw new ServiceError('SESSION_RELEASED')
    refuseImmutable(patch, {
      external_type: session.externalType,
      external_id: session.externalId,
    })
    const patched = apply(session, patch)
    const isNew = isMoved(session, patched)
    if (isNew && (await hasEntries(tx, session.roomId))) {
      throw new ServiceError('SESSION_ALREADY_STARTED')
    }
    // Check a given end as at creation, even if it equals the current one.
    if (isNew || patch.ends_at !== undefined) refuseImpossibleSlot(patched, clock())
    if (isNew) await publishSlotChange(tx, patched)
    await updateSession(tx, key, patched)
    return patched
  })
}

/** Locks the room first, as every change in a room does, and reads the session with the lock. */
async function lockSession(tx: Tx, key: SessionKey): Promise<StoredSession & LockedRoom> {
  const roomId = (await findSession(tx, key))?.roomId
  if (roomId === undefined) throw new ServiceError('NOT_FOUND')
  const locked = await lockRoom(tx, { tenantId: key.tenantId, roomId })
  const session = await findSession(tx, key)
  if (session === undefined) throw new ServiceError('NOT_FOUND')
  return { ...session, ...locked }
}

function apply<S extends StoredSession>(session: S, patch: SessionPatch): S {
  const { name, starts_at: startsAt, ends_at: endsAt } = patch
  return {
    ...session,
    ...(name === undefined ? {} : { name: name && cleanFreeText(name) }),
    ...(startsAt === undefined ? {} : { startsAt: checkedDateTime(startsAt) }),
    ...(endsAt === undefined ? {} : { endsAt: checkedDateTime(endsAt) }),
  }
}

function isMoved(before: StoredSession, after: StoredSession): boolean {
  return (
    before.startsAt.getTime() !== after.startsAt.getTime() ||
    before.endsAt.getTime() !== after.endsAt.getTime()
  )
}

async function publishSlotChange(tx: Tx, session: StoredSession & LockedRoom): Promise<void> {
  await enqueue(tx, resizeMediaRoomRequest(session.roomId))
  await publishLiveEvent(tx, session, { name: 'window', payload: presentSlotTimes(session) })
}
