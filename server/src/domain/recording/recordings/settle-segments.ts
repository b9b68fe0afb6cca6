import { inTransaction } from '../../../platform/db/db.ts'
import { enqueue } from '../../../platform/jobs/enqueue.ts'
import type { Deps } from '../../../platform/ports/deps.ts'
import { MediaError } from '../../../platform/ports/media.ts'
import { StorageError } from '../../../platform/ports/storage.ts'
import { deleteWrittenRequests } from '../../../platform/storage/delete-objects.job.ts'
import type { RoomKey } from '../../room-log/room-lock.ts'
import type { Observation, StoredSegment } from './decide-segment.ts'
import { type Due, dueOf, type SeenRoom } from './due-segment.ts'
import { measureStored } from './measure-segment.ts'
import { observe } from './observe-segment.ts'
import { undoIntention } from './order-recording.ts'
import { isPast } from './segment-limits.ts'
import { deleteSegments, listUnfinishedSegments } from './segment-store.ts'
import { egressIdOf, type Segment } from './segment.ts'

type SettleDeps = Pick<Deps, 'db' | 'media' | 'storage' | 'clock' | 'log'>

/**
 * Ends segments that took the provider too long, that are listed as active although their recorder is dead or has stalled,
 * or that belong to no recording. Work that the provider or the storage refuses waits for the next run and delays nothing
 * else. Returns the first such error. Throws `MediaError`.
 * @param known undefined while no recorder answers. One that does not may have stalled, and the media room shows whether it is
 *   connected, if that is known.
 */
export async function settleSegments(
  deps: SettleDeps,
  room: RoomKey,
  known: Pick<SeenRoom, 'silent' | 'forgotten'> | undefined,
): Promise<MediaError | StorageError | undefined> {
  const { db, clock } = deps
  const unfinished = await listUnfinishedSegments(db, room.roomId)
  const connections = await lookIntoRoom(deps, room.roomId, unfinished).catch((error: unknown) => {
    if (known !== undefined || !(error instanceof MediaError)) throw error
    return undefined
  })
  const silent = new Set(unfinished.map(({ recorder }) => recorder))
  const seen = { connections, ...(known ?? { silent }) }
  const failures: (MediaError | StorageError)[] = []
  for (const segment of unfinished) {
    const due = dueOf(segment, seen, clock())
    if (due === undefined) continue
    await settle(deps, room, { segment, due, seen }).catch((error: unknown) => {
      if (!(error instanceof MediaError) && !(error instanceof StorageError)) throw error
      failures.push(error)
    })
  }
  return failures[0]
}

/** Asks the provider only for what is needed now. */
async function lookIntoRoom(
  { media, clock }: SettleDeps,
  roomId: string,
  unfinished: readonly Segment[],
): Promise<SeenRoom['connections']> {
  const now = clock()
  const isDue = unfinished.some(
    (each) => isPast(each, 'recorder_lost', now) || isPast(each, 'replace', now),
  )
  return isDue ? media.listConnections(roomId) : undefined
}

async function settle(
  deps: SettleDeps,
  room: RoomKey,
  { segment, due, seen }: { segment: Segment; due: Due; seen: SeenRoom },
): Promise<void> {
  const { recordingId, recorder } = segment
  const egressId = egressIdOf(segment)
  const named = { room: room.roomId, recordingId, egressId, recorder }
  if (due.do === 'discard') return discard(deps, segment)
  const why = 'why' in due ? due.why : undefined
  const isOverdue = why === 'limit' || why === 'start_timeout' || why === 'give_up'
  if (isOverdue)
    deps.log.warn({ ...named, status: segment.status, why }, 'recording segment overdue')
  // Before the provider has answered, there is no recording that could fail.
  if (why === 'start_timeout' && recordingId !== null) {
    if (await undoIntention(deps, { ...room, recordingId })) return
  }
  const observation: Observation =
    due.do === 'ask_storage'
      ? { of: 'storage', seen, found: await askStorage(deps, segment, due) }
      : { of: 'time', seen }
  const transition = await observe(deps, room, { ref: { id: segment.id }, observation })
  if (due.do === 'replace' && transition !== undefined) {
    deps.log.error(named, 'ALARM: the recorder of a room stands still')
  }
  if (why === 'doubt') {
    const isKept = transition?.to.status === 'complete'
    deps.log.warn({ ...named, isKept }, 'lost recording segment judged by the storage')
  }
  if (why === 'recorder_lost') {
    if (transition === undefined) return
    deps.log.error(named, 'ALARM: recorder lost')
  }
  if (egressId === null || !(isOverdue || why === 'recorder_lost')) return
  await deps.media.stopEgress({ egressId, recorder }).catch((error: unknown) => {
    // A lost recorder does not answer.
    if (isOverdue || !(error instanceof MediaError)) throw error
    deps.log.warn({ err: error, egressId }, 'stopping the egress of a lost recorder failed')
  })
}

/**
 * Discards a segment without a recording. Its file is also deleted later again, because the provider may store it after its
 * last notification.
 */
async function discard({ db, clock }: SettleDeps, { id, storageKey }: Segment): Promise<void> {
  await inTransaction(db, async (tx) => {
    for (const each of deleteWrittenRequests([storageKey], clock())) await enqueue(tx, each)
    await deleteSegments(tx, [id])
  })
}

/**
 * Returns null if nothing is stored. Neither the pause after a lost recorder nor its next segment waits for a storage that
 * does not answer: then it returns undefined. The storage is asked again once it does.
 */
async function askStorage(
  deps: SettleDeps,
  segment: Segment,
  { why }: Extract<Due, { do: 'ask_storage' }>,
): Promise<StoredSegment | null | undefined> {
  return measureStored(deps.storage, segment).catch((error: unknown) => {
    if (why !== 'recorder_lost' || !(error instanceof StorageError)) throw error
    const { recordingId } = segment
    const asked = { err: error, recordingId, egressId: egressIdOf(segment) }
    deps.log.warn(asked, 'storage unavailable, recording segment judged later')
    return undefined
  })
}
