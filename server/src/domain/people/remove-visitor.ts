import type { Tx } from '../../platform/db/db.ts'
import { enqueue } from '../../platform/jobs/enqueue.ts'
import { cleanFreeText } from '../../platform/lib/free-text.ts'
import { appendRoomEvent } from '../room-log/append-room-event.ts'
import { publishLiveEvent } from '../room-log/publish-live-event.ts'
import type { LockedRoomKey } from '../room-log/room-lock.ts'
import { findVisitor, markVisitorBanned } from './admission-store.ts'
import { removeParticipantRequest } from './remove-participant.job.ts'

interface Removal {
  /** The visitor's identity in the roster. */
  identity: string
  /** Written to the room's log, cleaned; 1..255 characters. */
  reason: string
  /** The person who bans. */
  by: string | null
}

/**
 * Bans a visitor of the simple route, or a guest. It ends this admission for good but cannot keep a visitor out, because they are
 * anonymous. Returns false without such a person.
 */
export async function removeVisitor(
  tx: Tx,
  locked: LockedRoomKey,
  { identity, reason, by, now }: Removal & { now: Date },
): Promise<boolean> {
  const { roomId } = locked
  const visitor = await findVisitor(tx, { roomId, identity })
  if (visitor === undefined) return false
  const { admissionId } = visitor
  if (!(await markVisitorBanned(tx, { admissionId, at: now }))) return true
  await enqueue(tx, removeParticipantRequest({ roomId, mediaIdentity: identity }))
  await appendRoomEvent(tx, {
    ...locked,
    eventType: 'participant.removed',
    payload: {
      participant_id: null,
      identity,
      display_name: visitor.displayName,
      reason: cleanFreeText(reason),
      by,
    },
  })
  const payload = { reason: 'removed' }
  await publishLiveEvent(tx, locked, { name: 'removed', admissionId, payload })
  return true
}
