import type { Config } from '../../../platform/config/config.ts'
import { inTransaction } from '../../../platform/db/db.ts'
import { uuidv7 } from '../../../platform/lib/uuid.ts'
import type { Deps } from '../../../platform/ports/deps.ts'
import type { EgressSpec } from '../../../platform/ports/egress.ts'
import { MediaError } from '../../../platform/ports/media.ts'
import { newVideoKey } from '../../../platform/storage/object-key.ts'
import { lockRoom } from '../../booking/lock-room.ts'
import { type AskTurn, claimStart, giveUpAsked, noteAskFailed } from './ask-store.ts'
import { captureKeyOf } from './capture-segments.ts'
import { adoptEgress } from './observe-segment.ts'
import { videoFormOf } from './recording.ts'
import type { RecordedRoom } from './running-store.ts'
import { ANSWER_MAX_MS } from './segment-limits.ts'
import { insertSegment, listSegments } from './segment-store.ts'
import { orderOfRecorders, type RequestedSegment, type Segment } from './segment.ts'

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
  const endMs = performance.now() + NEXT_MAX_MS
  let asked: AskedSegment = { segment, askedAt: null }
  let failure: MediaError | undefined
  for (const recorder of recorders) {
    if (failure !== undefined && performance.now() > endMs) break
    const claimed = await claim(deps, room, { ...asked, recorder })
    if (claimed === undefined) return
    asked = claimed
    const began = await ask(deps, room, claimed).catch((error: unknown) => {
      if (!(error instanceof MediaError)) throw error
      failure = error
      return undefined
    })
    if (began !== undefined) return adoptEgress(deps, room, began)
    log.warn({ err: failure, room: room.roomId, recorder }, 'recorder did not begin')
    if (failure?.hasNoEffect === true) {
      asked = { ...claimed, segment: { ...claimed.segment, recorder: null } }
    }
  }
  const { id, recorder } = asked.segment
  await noteAskFailed(db, { id, at: clock(), recorder })
  if (failure !== undefined) throw failure
}

/** A segment, and the time when this caller asked for it. */
interface AskedSegment {
  segment: RequestedSegment
  askedAt: Date | null
}

interface ClaimedSegment {
  /** Contains the key it is asked for under, and the recorder. */
  segment: RequestedSegment & { recorder: string }
  askedAt: Date
}

async function findRecorders(
  { db, media }: StartDeps,
  segment: Segment,
): Promise<readonly string[]> {
  const inTurn = await media.recordersInTurn(segment.roomId)
  if (inTurn.length === 1 || segment.recordingId === null) return inTurn
  return orderOfRecorders(inTurn, await listSegments(db, segment.recordingId))
}

/** Returns undefined when another caller is asking, or it is no longer wanted. */
async function claim(
  deps: StartDeps,
  room: RecordedRoom,
  { segment, askedAt, recorder }: AskedSegment & { recorder: string },
): Promise<ClaimedSegment | undefined> {
  const { db, clock } = deps
  const mayBeWritten = segment.recorder !== null && segment.recorder !== recorder
  const turn = { own: askedAt, before: new Date(clock().getTime() - ANSWER_MAX_MS) }
  const free = mayBeWritten ? await replace(deps, room, { segment, turn }) : segment
  if (free === undefined) return undefined
  const now = clock()
  const wanted = keyOf(room, free, deps.config)
  const ask = { ...turn, id: free.id, known: free.recorder, recorder, now, storageKey: wanted }
  const storageKey = await claimStart(db, ask)
  if (storageKey === undefined) return undefined
  return { segment: { ...free, storageKey, recorder }, askedAt: now }
}

/**
 * Replaces the segment of a recorder that gave no answer and may be writing it. The next recorder gets a new segment with
 * another key. The old one is given up: it is searched for, ended, and its file is deleted.
 */
async function replace(
  { db, clock }: StartDeps,
  room: RecordedRoom,
  { segment, turn }: { segment: RequestedSegment; turn: AskTurn },
): Promise<RequestedSegment | undefined> {
  return inTransaction(db, async (tx) => {
    await lockRoom(tx, room)
    const at = clock()
    if (!(await giveUpAsked(tx, { ...turn, id: segment.id, at }))) return undefined
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
  { segment }: ClaimedSegment,
): Promise<Parameters<typeof adoptEgress>[2]> {
  const { storageKey, recorder } = segment
  const output = await storage.egressOutput(storageKey)
  const egress = await media.startEgress(specOf(room, segment, output))
  return { storageKey, egress: { ...egress, recorder } }
}

/** Requests a capture if the provider delivers captures. The simulated one delivers only videos. */
function keyOf(
  { isSandbox }: RecordedRoom,
  { storageKey }: Segment,
  { recordings }: Pick<Config, 'recordings'>,
): string {
  return recordings.fromCaptures && isSandbox !== true ? captureKeyOf(storageKey) : storageKey
}

function specOf(
  room: RecordedRoom,
  { person, recorder }: ClaimedSegment['segment'],
  output: EgressSpec['output'],
): EgressSpec {
  const identity = person?.mediaIdentity
  return { mediaRoom: room.roomId, recorder, identity, ...videoFormOf(room), output }
}
