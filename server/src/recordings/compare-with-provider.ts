import { inTransaction } from '../db/db.ts'
import type { Deps } from '../deps.ts'
import type { Egress } from '../media/egress.ts'
import { holdRoom } from '../rooms/hold-room.ts'
import { applyEgress } from './apply-egress.ts'
import type { RecordedRoom } from './running-store.ts'
import { comesLate, isFinal, moveOf, type Segment } from './segment.ts'
import { findSegmentOf, listUnfinishedSegments } from './segment-store.ts'
import { adoptEgress } from './start-segment.ts'

type CompareDeps = Pick<Deps, 'db' | 'media' | 'clock' | 'log'>

/**
 * Takes over what the provider says of the parts that it is busy with: notifications are hints, its
 * list is the truth. An egress whose answer was lost is known by where it writes; one that writes a
 * part of ours and belongs to none is ended. Throws `MediaError`.
 */
export async function compareWithProvider(deps: CompareDeps, room: RecordedRoom): Promise<void> {
  const { db, media, clock, log } = deps
  const unfinished = await listUnfinishedSegments(db, room.roomId)
  if (unfinished.length === 0) return
  const listed = await media.listEgress(room.roomId)
  for (const egress of listed.toSorted(byAge)) {
    const known = await findSegmentOf(db, egress.egressId)
    if (known === undefined) {
      await settleUnknown(deps, room, { egress, unfinished })
      continue
    }
    if (isFinal(known) && !comesLate(known, moveOf(egress))) continue
    await inTransaction(db, async (tx) => {
      const held = await holdRoom(tx, room)
      await applyEgress(tx, held, { egress, now: clock(), log })
    })
  }
}

/** Of two for one part the older one stays. */
function byAge(a: Egress, b: Egress): number {
  return (a.startedAt?.getTime() ?? 0) - (b.startedAt?.getTime() ?? 0)
}

async function settleUnknown(
  deps: CompareDeps,
  room: RecordedRoom,
  { egress, unfinished }: { egress: Egress; unfinished: readonly Segment[] },
): Promise<void> {
  const path = egress.outputPath ?? ''
  const segment = unfinished.find(({ storageKey }) => path.endsWith(storageKey))
  if (segment !== undefined) {
    await adoptEgress(deps, room, { storageKey: segment.storageKey, egress })
    return
  }
  const isRunning = egress.status === 'starting' || egress.status === 'active'
  if (!isRunning || !path.includes(`${room.tenantId}/`)) return
  deps.log.warn({ room: room.roomId }, 'an egress that belongs to no recording is ended')
  await deps.media.stopEgress(egress.egressId)
}
