import { enqueue } from '../../../platform/jobs/enqueue.ts'
import type { Deps } from '../../../platform/ports/deps.ts'
import type { Egress, EgressStatus, ListedEgress } from '../../../platform/ports/egress.ts'
import { type MediaConnection, MediaError } from '../../../platform/ports/media.ts'
import type { RoomKey } from '../../room-log/room-lock.ts'
import type { SeenRoom } from './due-segment.ts'
import { adoptEgress, observe, type ObserveDeps } from './observe-segment.ts'
import { followRecordingRequest } from './recording-requests.ts'
import { noteTrack, type TrackChange } from './report-store.ts'
import { findRecordedRoom, type RecordedRoom } from './running-store.ts'
import { findSegment, listUnfinishedSegments } from './segment-store.ts'
import { isFinal, isLost, isWritten, type Segment, SEGMENT_RANK } from './segment.ts'

/**
 * Applies a notification about an egress. It enqueues the job that finds everything the notification lacks, including an
 * egress that is not known yet.
 */
export async function applyNotifiedEgress(
  deps: ObserveDeps,
  { roomId, egress }: { roomId: string; egress: Egress },
): Promise<void> {
  const room = await findRecordedRoom(deps.db, roomId)
  if (room === undefined) return
  const { egressId, status: reported } = egress
  const known = await findSegment(deps.db, { roomId, egressId })
  const news = { ref: { egressId }, observation: { of: 'egress', egress } } as const
  const isNews = (await observe(deps, room, news)) !== undefined
  if (!isNews && isStale(reported, known)) {
    deps.log.warn({ egressId, reported, known: known?.status }, 'stale egress update ignored')
  }
  await enqueue(deps.db, followRecordingRequest(roomId))
}

/** Its segment has moved on since, or is in the recording's file already. */
function isStale(reported: EgressStatus, known: Segment | undefined): boolean {
  if (known === undefined) return reported === 'active' || reported === 'ending'
  const status = reported === 'limit_reached' ? 'complete' : reported
  return status !== known.status && SEGMENT_RANK[status] <= SEGMENT_RANK[known.status]
}

/**
 * Handles the provider's report that a recorder, whose identity is the id of its egress, joined or left. After it left, the room's job checks whether its egress
 * ended. An unknown recorder changes nothing.
 */
export async function applyNotifiedRecorder(
  deps: ObserveDeps,
  { roomId, egressId, at }: { roomId: string; egressId: string; at: Date },
  is: 'there' | 'gone',
): Promise<void> {
  const room = await findRecordedRoom(deps.db, roomId)
  if (room === undefined) return
  await observe(deps, room, { ref: { egressId }, observation: { of: 'recorder', is, at } })
}

/** The same for the provider's list. */
export async function compareRecorders(
  deps: ObserveDeps,
  { egressIds, ...room }: RoomKey & { egressIds: readonly string[] },
  connections: readonly Pick<MediaConnection, 'identity'>[],
): Promise<void> {
  for (const egressId of egressIds) {
    const is = connections.some(({ identity }) => identity === egressId) ? 'there' : 'absent'
    const observation = { of: 'recorder', is, at: deps.clock() } as const
    await observe(deps, room, { ref: { egressId }, observation })
  }
}

/** Handles a change of a published track, because the expected content of a recording depends on it. */
export async function trackHasChanged(
  { db }: Pick<Deps, 'db'>,
  change: TrackChange,
): Promise<void> {
  await noteTrack(db, change)
}

type CompareDeps = ObserveDeps & Pick<Deps, 'media'>

/**
 * Takes over the provider's list of egresses: notifications are hints, the list is the truth. An egress whose answer was
 * lost is recognised by its output path. One that writes to a segment of ours but belongs to none is ended. Returns the
 * recorders that did not answer, and the egresses that their recorders have forgotten. Throws `MediaError` when no recorder
 * answers.
 */
export async function compareWithProvider(
  deps: CompareDeps,
  room: RecordedRoom,
): Promise<Pick<SeenRoom, 'silent' | 'forgotten'>> {
  const { db, media } = deps
  const unfinished = (await listUnfinishedSegments(db, room.roomId)).filter((each) => isAsked(each))
  if (unfinished.length === 0) return { silent: new Set() }
  const recorders = [...new Set(unfinished.map(({ recorder }) => recorder))]
  const { egresses, silent } = await media.listEgress(room.roomId, recorders)
  const listed = new Set(egresses.map(({ egressId }) => egressId))
  const forgotten = new Set(
    unfinished.flatMap((each) =>
      isWritten(each) && !listed.has(each.egressId) && !silent.has(each.recorder)
        ? [each.egressId]
        : [],
    ),
  )
  for (const egress of egresses) {
    const { egressId } = egress
    const known = await findSegment(db, { roomId: room.roomId, egressId })
    if (known === undefined) {
      await settleUnknown(deps, room, egress)
      continue
    }
    if (isFinal(known) && !(isLost(known) && known.isOverdue)) {
      // Its recorder counted as dead and has come back. A dead one would not answer.
      if (isRunning(egress) && known.recorderGoneAt === null) await endUnwanted(deps, egress)
      continue
    }
    await observe(deps, room, { ref: { egressId }, observation: { of: 'egress', egress } })
  }
  return { silent, forgotten }
}

function isAsked(segment: Segment): boolean {
  return segment.status !== 'requested' || segment.askedAt !== null
}

async function settleUnknown(
  deps: CompareDeps,
  room: RecordedRoom,
  egress: ListedEgress,
): Promise<void> {
  const path = egress.outputPath ?? ''
  // Read again, because it may have been requested while the recorders were asked.
  const unfinished = await listUnfinishedSegments(deps.db, room.roomId)
  const segment = unfinished.find(({ storageKey }) => path.endsWith(storageKey))
  if (segment !== undefined) {
    await adoptEgress(deps, room, { storageKey: segment.storageKey, egress })
    return
  }
  if (!isRunning(egress) || !path.includes(`${room.tenantId}/`)) return
  deps.log.warn({ room: room.roomId, egressId: egress.egressId }, 'orphaned egress stopped')
  await endUnwanted(deps, egress)
}

function isRunning({ status }: Egress): boolean {
  return status === 'starting' || status === 'active'
}

async function endUnwanted(
  { media, log }: Pick<CompareDeps, 'media' | 'log'>,
  egress: ListedEgress,
): Promise<void> {
  await media.stopEgress(egress).catch((error: unknown) => {
    // The egress of a dead worker stays listed as active, and nobody answers for it.
    if (!(error instanceof MediaError)) throw error
    const { egressId } = egress
    log.warn({ err: error, egressId }, 'stopping an orphaned egress failed')
  })
}
