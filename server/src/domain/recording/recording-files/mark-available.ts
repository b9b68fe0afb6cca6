import { inTransaction, type Tx } from '../../../platform/db/db.ts'
import { enqueue } from '../../../platform/jobs/enqueue.ts'
import type { Deps } from '../../../platform/ports/deps.ts'
import { deleteObjectsRequest } from '../../../platform/storage/delete-objects.job.ts'
import { publishLiveEvent } from '../../room-log/publish-live-event.ts'
import type { LockedRoomKey } from '../../room-log/room-lock.ts'
import { lockRecordingIfAny } from '../recordings/lock-recording.ts'
import { findFile, measureSegment } from '../recordings/measure-segment.ts'
import { failRecording, moveRecording } from '../recordings/move-recording.ts'
import type { Recording } from '../recordings/recording.ts'
import { storeReport } from '../recordings/report-completeness.ts'
import { findRecordedRoom } from '../recordings/running-store.ts'
import { deleteSegments, listSegments } from '../recordings/segment-store.ts'
import { isLeftOut, type Segment } from '../recordings/segment.ts'
import { noteFileMissing } from '../recordings/store.ts'
import { isMissedTooLong, LOOK_AGAIN_MS } from './assemble-recording.ts'

/** A step to take in the transaction that makes a recording available. */
export interface Available {
  onAvailable: (tx: Tx, recording: LockedRoomKey & { id: string }) => Promise<void>
}

/**
 * Makes a recording available once the storage has its file. Returns the time of the next check. A
 * file that is still missing ten minutes after the first check fails the recording.
 */
export async function markAvailable(
  { db, storage, clock, onAvailable }: Pick<Deps, 'db' | 'storage' | 'clock'> & Available,
  { id, tenantId, outputMode, storageKey, sizeBytes }: Recording,
  signal: AbortSignal,
): Promise<Date | undefined> {
  const isVideo = outputMode === 'composed'
  const storedBytes =
    storageKey === null
      ? undefined
      : await findFile(storage, { storageKey, sizeBytes, isVideo }, signal)
  const isThere = storedBytes !== undefined
  const now = clock()
  const isLost = !isThere && isMissedTooLong(await noteFileMissing(db, { id, at: now }), now)
  if (!isThere && !isLost) return new Date(now.getTime() + LOOK_AGAIN_MS)
  // The length of an archive was measured when it was made.
  const isMeasured = storageKey !== null && isThere && isVideo
  const { durationSec = null } = isMeasured
    ? await measureSegment(storage, { storageKey }, signal)
    : {}
  const file =
    isMeasured && durationSec !== null
      ? { storageKey, sizeBytes: storedBytes, durationSec }
      : undefined
  await inTransaction(db, async (tx) => {
    const recording = await lockRecordingIfAny(tx, { tenantId, recordingId: id })
    if (recording?.status !== 'uploaded') return
    if (isLost) return failRecording(tx, recording, { reason: 'storage_missing', now })
    await moveRecording(tx, recording, { to: 'available', file, at: now })
    await storeReport(tx, recording, { now, isAnnounced: true })
    const room = await findRecordedRoom(tx, recording.roomId)
    if (room?.isReleased === false) await publishLiveEvent(tx, recording, { name: 'recording' })
    await onAvailable(tx, recording)
    await forgetUsed(tx, await listSegments(tx, id), storageKey)
  })
  return undefined
}

/** Deletes the segments in the file. Those that were left out stay. */
async function forgetUsed(
  tx: Tx,
  segments: readonly Segment[],
  storageKey: string | null,
): Promise<void> {
  const used = segments.filter((segment) => !isLeftOut(segment))
  const spare = used.map((segment) => segment.storageKey).filter((key) => key !== storageKey)
  if (spare.length > 0) await enqueue(tx, deleteObjectsRequest(spare))
  const ids = used.map(({ id }) => id)
  await deleteSegments(tx, ids)
}
