import { inTransaction } from '../db/db.ts'
import type { Deps } from '../deps.ts'
import { MediaError } from '../media/media.ts'
import { holdRoom } from '../rooms/hold-room.ts'
import { moveSegment } from './apply-egress.ts'
import { judge } from './judge-segment.ts'
import { moveRecording } from './move-recording.ts'
import type { RecordedRoom } from './running-store.ts'
import { markInterrupted } from './running-store.ts'
import { recorderDeadlineOf, type Segment } from './segment.ts'
import { listUnfinishedSegments, noteRecorderSeen } from './segment-store.ts'
import { lockRecording } from './store.ts'

type DeadDeps = Pick<Deps, 'db' | 'media' | 'storage' | 'clock' | 'log'>

/**
 * Ends the parts whose recorder left the media room while the provider goes on to call them active: a
 * worker that died tells nothing. The recording is paused, and goes on by itself. Throws `MediaError`.
 */
export async function endDeadRecorders(deps: DeadDeps, room: RecordedRoom): Promise<void> {
  const { db, media, clock } = deps
  const isDue = (segment: Segment) => {
    const at = recorderDeadlineOf(segment)
    return at !== undefined && clock() >= at
  }
  const due = (await listUnfinishedSegments(db, room.roomId)).filter((each) => isDue(each))
  if (due.length === 0) return
  const connections = await media.listConnections(room.roomId)
  // With its media room a recorder ends, too, and is given the time to write its file.
  if (connections === undefined) return
  for (const segment of due) {
    const { egressId } = segment
    if (egressId === null) continue
    const isThere = connections.some(({ identity }) => identity === egressId)
    if (isThere) await noteRecorderSeen(db, { egressId, at: clock() })
    else await interrupt(deps, room, { ...segment, egressId })
  }
}

async function interrupt(
  deps: DeadDeps,
  room: RecordedRoom,
  segment: Segment & { egressId: string },
): Promise<void> {
  const { db, media, clock, log } = deps
  const { recordingId, egressId, recorderGoneAt } = segment
  log.error({ room: room.roomId, recordingId, egressId }, 'ALARM: the recorder of a room is gone')
  const move = await judge(deps, segment)
  await inTransaction(db, async (tx) => {
    const now = clock()
    const held = await holdRoom(tx, room)
    const recording = recordingId === null ? undefined : await lockRecording(tx, held, recordingId)
    // Of an individual recording the others go on, and this person gets another part.
    if (recording?.status === 'started' && recording.outputMode === 'composed') {
      const goesOn = await markInterrupted(tx, { id: recording.id, at: now })
      if (goesOn) await moveRecording(tx, recording, { to: 'paused', at: now })
    }
    await moveSegment(tx, held, { segment, move, startedAt: null, endedAt: recorderGoneAt, now })
  })
  await media.stopEgress(egressId).catch((error: unknown) => {
    // Nobody is there to answer.
    if (!(error instanceof MediaError)) throw error
    log.warn({ err: error, egressId }, 'the egress of a dead recorder could not be ended')
  })
}
