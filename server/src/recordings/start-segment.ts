import { inTransaction, type Tx } from '../db/db.ts'
import type { Deps } from '../deps.ts'
import type { Egress, EgressSpec } from '../media/egress.ts'
import type { RoomKey } from '../rooms/find-room-key.ts'
import { holdRoom } from '../rooms/hold-room.ts'
import { nextRoomMoment } from '../rooms/room-clock.ts'
import type { HeldRoomKey } from '../rooms/room-lock.ts'
import { applyEgress } from './apply-egress.ts'
import { tellOfStatus } from './move-recording.ts'
import { publishIntention, type RecordedRoom } from './running-store.ts'
import { isFinal, type Segment } from './segment.ts'
import { claimStart, findSegmentByKey, noteAskFailed, setEgress } from './segment-store.ts'

/** An answer that takes longer is looked for in the provider's list before it is asked again. */
export const ANSWER_MAX_MS = 15_000
/** What a picture of this size needs, in kbit/s. */
const VIDEO_KBPS = { '640x480': 1000, '1280x720': 2500 } as const
/** Movement of a mixed picture; a single stream may send fewer frames. */
const FRAME_RATE_MIN = 15

type StartDeps = Pick<Deps, 'db' | 'media' | 'storage' | 'clock' | 'config' | 'log'>

/**
 * Asks the provider to write a part of a recording, unless somebody else asks at this moment.
 * Throws `MediaError` when it refuses or is silent.
 */
export async function startSegment(
  deps: StartDeps,
  room: RecordedRoom,
  segment: Segment,
): Promise<void> {
  const { db, media, storage, clock } = deps
  const now = clock()
  const before = new Date(now.getTime() - ANSWER_MAX_MS)
  if (!(await claimStart(db, { id: segment.id, now, before }))) return
  const output = await storage.egressOutput(segment.storageKey)
  const egress = await media
    .startEgress(specOf(room, segment, output))
    .catch(async (error: unknown) => {
      await noteAskFailed(db, segment.id, clock())
      throw error
    })
  await adoptEgress(deps, room, { storageKey: segment.storageKey, egress })
}

function specOf(
  { roomId, archiveResolution, streamFrameRate }: RecordedRoom,
  { person }: Segment,
  output: EgressSpec['output'],
): EgressSpec {
  const [width, height] = archiveResolution.split('x').map(Number) as [number, number]
  return {
    mediaRoom: roomId,
    identity: person?.mediaIdentity,
    width,
    height,
    frameRate: Math.max(streamFrameRate, FRAME_RATE_MIN),
    videoKbps: VIDEO_KBPS[archiveResolution],
    output,
  }
}

/**
 * Notes which egress writes a part, and shows the recording when it is the first to be known. An
 * egress for a part that has another one, or is gone, is ended.
 */
export async function adoptEgress(
  { db, media, clock, log }: Pick<Deps, 'db' | 'media' | 'clock' | 'log'>,
  room: RoomKey,
  { storageKey, egress }: { storageKey: string; egress: Egress },
): Promise<void> {
  const isOurs = await inTransaction(db, async (tx) => {
    const held = await holdRoom(tx, room)
    const segment = await findSegmentByKey(tx, { roomId: room.roomId, storageKey })
    if (segment === undefined || isFinal(segment)) return false
    const { egressId } = egress
    if (!(await setEgress(tx, { id: segment.id, egressId }))) return segment.egressId === egressId
    if (segment.recordingId !== null) await publish(tx, held, { ...segment, egressId })
    await applyEgress(tx, held, { egress, now: clock(), log })
    return true
  })
  if (!isOurs) await media.stopEgress(egress.egressId)
}

async function publish(
  tx: Tx,
  held: HeldRoomKey,
  { recordingId, egressId }: { recordingId: string | null; egressId: string },
): Promise<void> {
  if (recordingId === null) return
  const { seq, at } = await nextRoomMoment(tx, held)
  if (!(await publishIntention(tx, { id: recordingId, egressId, seq, at }))) return
  const recording = { id: recordingId, ...held }
  await tellOfStatus(tx, recording, {
    to: 'started',
    from: null,
    failureReason: null,
    version: 1,
    at,
  })
}
