import type { Tx } from '../db/db.ts'
import { enqueue } from '../jobs/enqueue.ts'
import { tellRoom } from '../live-stream/tell-room.ts'
import { appendRoomEvent } from '../room-events/append-room-event.ts'
import type { HeldRoomKey } from '../rooms/room-lock.ts'
import { removeParticipantRequest } from './remove-participant.job.ts'
import { findVisitor, markVisitorRemoved } from './store.ts'

interface Removal {
  /** By which the roster names the visitor. */
  identity: string
  /** Kept in the log of the room; 1..255 characters. */
  reason: string
}

/**
 * Puts a visitor of the simple route out. This entry is over for good; nobody is banned by it,
 * because nobody was known. False when there is no such visitor.
 */
export async function removeVisitor(
  tx: Tx,
  held: HeldRoomKey,
  { identity, reason, now }: Removal & { now: Date },
): Promise<boolean> {
  const { roomId } = held
  const visitor = await findVisitor(tx, { roomId, admissionId: identity })
  if (visitor === undefined) return false
  if (!(await markVisitorRemoved(tx, { admissionId: identity, at: now }))) return true
  await enqueue(tx, removeParticipantRequest({ roomId, mediaIdentity: identity }))
  await appendRoomEvent(tx, {
    ...held,
    eventType: 'participant.removed',
    payload: { participant_id: null, identity, display_name: visitor.displayName, reason },
  })
  const payload = { reason: 'removed' }
  await tellRoom(tx, held, { name: 'removed', admissionId: identity, payload })
  return true
}
