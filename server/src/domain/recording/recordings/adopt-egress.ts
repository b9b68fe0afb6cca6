import { inTransaction, type Tx } from '../../../platform/db/db.ts'
import type { Deps } from '../../../platform/ports/deps.ts'
import type { ListedEgress } from '../../../platform/ports/egress.ts'
import { lockRoom } from '../../booking/lock-room.ts'
import { nextRoomMoment } from '../../room-log/room-clock.ts'
import type { LockedRoomKey, RoomKey } from '../../room-log/room-lock.ts'
import { applyEgress } from './apply-egress.ts'
import { publishStatusChange } from './move-recording.ts'
import { publishIntention } from './running-store.ts'
import { findSegmentByKey, setEgress } from './segment-store.ts'
import { isFinal } from './segment.ts'

export interface AdoptedEgress {
  storageKey: string
  egress: ListedEgress
  /** Known if the provider's answer arrived. */
  clockOffsetMs?: number | null
}

/**
 * Stores the egress that writes a segment, and publishes the recording at its first known egress. An egress is ended if its
 * segment has another egress or no longer exists.
 */
export async function adoptEgress(
  { db, media, clock, log }: Pick<Deps, 'db' | 'media' | 'clock' | 'log'>,
  room: RoomKey,
  { storageKey, egress, clockOffsetMs = null }: AdoptedEgress,
): Promise<void> {
  const isOurs = await inTransaction(db, async (tx) => {
    const locked = await lockRoom(tx, room)
    const segment = await findSegmentByKey(tx, { roomId: room.roomId, storageKey })
    if (segment === undefined || isFinal(segment)) return false
    const { egressId, recorder } = egress
    if (!(await setEgress(tx, { id: segment.id, egressId, recorder, clockOffsetMs })))
      return segment.egressId === egressId
    if (segment.recordingId !== null) await publish(tx, locked, { ...segment, egressId })
    await applyEgress(tx, locked, { egress, now: clock(), log })
    return true
  })
  if (!isOurs) await media.stopEgress(egress)
}

async function publish(
  tx: Tx,
  locked: LockedRoomKey,
  { recordingId, egressId }: { recordingId: string | null; egressId: string },
): Promise<void> {
  if (recordingId === null) return
  const { seq, at } = await nextRoomMoment(tx, locked)
  if (!(await publishIntention(tx, { id: recordingId, egressId, seq, at }))) return
  const recording = { id: recordingId, ...locked }
  await publishStatusChange(tx, recording, {
    to: 'started',
    from: null,
    failureReason: null,
    version: 1,
    at,
  })
}
