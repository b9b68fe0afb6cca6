import { inTransaction } from '../../../platform/db/db.ts'
import { uuidv7 } from '../../../platform/lib/uuid.ts'
import type { Deps } from '../../../platform/ports/deps.ts'
import type { StartedEgress } from '../../../platform/ports/egress.ts'
import { MediaError } from '../../../platform/ports/media.ts'
import { newVideoKey } from '../../../platform/storage/object-key.ts'
import { lockRoom } from '../../booking/lock-room.ts'
import { claimStart, giveUpAsked, noteAskFailed } from './ask-store.ts'
import { captureKeyOf } from './capture-segments.ts'
import { adoptEgress } from './observe-segment.ts'
import { videoFormOf } from './recording.ts'
import type { RecordedRoom } from './running-store.ts'
import { isPast } from './segment-limits.ts'
import { insertSegment, listSegments } from './segment-store.ts'
import { orderOfRecorders, type RequestedSegment } from './segment.ts'

export type StartDeps = Pick<Deps, 'db' | 'media' | 'storage' | 'clock' | 'config' | 'log'>

/** Time limit for trying further recorders, because somebody waits for the answer. */
const NEXT_MAX_MS = 10_000

/**
 * Asks one recorder after the other to start a segment, until one begins, unless another caller is asking now. Throws
 * `MediaError` when all refuse or are silent.
 */
export async function startSegment(
  deps: StartDeps,
  room: RecordedRoom,
  segment: RequestedSegment,
): Promise<void> {
  const { db, clock, log } = deps
  const recorders = await findRecorders(deps, segment)
  if (segment.askedAt !== null && !isPast(segment, 'ask_again', clock())) return
  const endMs = performance.now() + NEXT_MAX_MS
  let asked = segment
  let failure: MediaError | undefined
  for (const recorder of recorders) {
    if (failure !== undefined && performance.now() > endMs) break
    const claimed = await claim(deps, room, asked, recorder)
    if (claimed === undefined) return
    asked = claimed
    const egress = await ask(deps, room, claimed).catch((error: unknown) => {
      if (!(error instanceof MediaError)) throw error
      failure = error
      return undefined
    })
    if (egress !== undefined) {
      const { storageKey } = claimed
      return adoptEgress(deps, room, { storageKey, egress: { ...egress, recorder } })
    }
    log.warn({ err: failure, room: room.roomId, recorder }, 'recorder did not begin')
    if (failure?.hasNoEffect === true) asked = { ...claimed, recorder: null }
  }
  await noteAskFailed(db, asked, clock())
  if (failure !== undefined) throw failure
}

async function findRecorders(
  { db, media }: StartDeps,
  { roomId, recordingId }: RequestedSegment,
): Promise<readonly string[]> {
  const inTurn = await media.recordersInTurn(roomId)
  if (inTurn.length === 1 || recordingId === null) return inTurn
  return orderOfRecorders(inTurn, await listSegments(db, recordingId))
}

type ClaimedSegment = RequestedSegment & { recorder: string }

/** Returns undefined when another caller is asking, or it is no longer wanted. */
async function claim(
  deps: StartDeps,
  room: RecordedRoom,
  segment: RequestedSegment,
  recorder: string,
): Promise<ClaimedSegment | undefined> {
  const mayBeWritten = segment.recorder !== null && segment.recorder !== recorder
  const free = mayBeWritten ? await replace(deps, room, segment) : segment
  if (free === undefined) return undefined
  // The simulated provider delivers no captures, only videos.
  const isCaptured = deps.config.recordings.fromCaptures && room.isSandbox !== true
  const isNew = free.askedAt === null
  const storageKey = isNew && isCaptured ? captureKeyOf(free.storageKey) : free.storageKey
  const now = deps.clock()
  const isClaimed = await claimStart(deps.db, free, { recorder, storageKey, now })
  return isClaimed ? { ...free, storageKey, recorder, askedAt: now } : undefined
}

/**
 * Replaces the segment of a recorder that gave no answer and may be writing it. The next recorder gets a new segment with
 * another key. The old one is given up: it is searched for, ended, and its file is deleted.
 */
async function replace(
  { db, clock }: StartDeps,
  room: RecordedRoom,
  segment: RequestedSegment,
): Promise<RequestedSegment | undefined> {
  return inTransaction(db, async (tx) => {
    await lockRoom(tx, room)
    const at = clock()
    if (!(await giveUpAsked(tx, segment, at))) return undefined
    const id = uuidv7(at.getTime())
    const storageKey = newVideoKey(room.tenantId, 'recording-parts')
    // The new segment keeps the time of the request, so its time limit does not start again.
    const next = { ...segment, id, storageKey, recorder: null, askedAt: null }
    await insertSegment(tx, next)
    return next
  })
}

async function ask(
  { media, storage }: StartDeps,
  room: RecordedRoom,
  { storageKey, person, recorder }: ClaimedSegment,
): Promise<StartedEgress> {
  const output = await storage.egressOutput(storageKey)
  const identity = person?.mediaIdentity
  const form = videoFormOf(room)
  return media.startEgress({ mediaRoom: room.roomId, recorder, identity, ...form, output })
}
