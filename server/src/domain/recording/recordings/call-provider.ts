import { setTimeout as delay } from 'node:timers/promises'
import { inTransaction } from '../../../platform/db/db.ts'
import { uuidv7 } from '../../../platform/lib/uuid.ts'
import type { Deps } from '../../../platform/ports/deps.ts'
import { MediaError } from '../../../platform/ports/media.ts'
import { newVideoKey } from '../../../platform/storage/object-key.ts'
import { lockRoom } from '../../booking/lock-room.ts'
import { captureKeyOf } from './measure-segment.ts'
import { adoptEgress } from './observe-segment.ts'
import { videoFormOf } from './recording.ts'
import type { RecordedRoom } from './running-store.ts'
import { isPast } from './segment-limits.ts'
import {
  giveUpAsked,
  insertSegment,
  listSegments,
  listUnfinishedSegments,
  noteAsked,
} from './segment-store.ts'
import { isWritten, orderOfRecorders, type RequestedSegment } from './segment.ts'

type CallDeps = Pick<Deps, 'db' | 'media' | 'storage' | 'clock' | 'config' | 'log'>

/** Time limit for trying further recorders, because somebody waits for the answer. */
const NEXT_MAX_MS = 10_000
/** A provider takes many seconds to answer a stop of an egress that has not begun. */
const STOPS_MAX_MS = 1_000

/**
 * Sends every outstanding start and stop to the provider. A segment without an answer, such as one whose worker died, does
 * not delay the others. Returns the first error.
 * @param isListed the provider's list was searched for the egresses of those that were asked for before.
 */
export async function callProvider(
  deps: CallDeps,
  room: RecordedRoom,
  { isListed }: { isListed: boolean },
): Promise<MediaError | undefined> {
  const { db, clock, media } = deps
  const failures: MediaError[] = []
  const attempt = (call: Promise<void>) =>
    call.catch((error: unknown) => {
      if (!(error instanceof MediaError)) throw error
      failures.push(error)
    })
  const segments = await listUnfinishedSegments(db, room.roomId)
  const stops = segments
    .filter((segment) => isWritten(segment))
    .filter(({ endsAskedAt }) => endsAskedAt !== null)
    .map((segment) => attempt(media.stopEgress(segment)))
  const starting = (async () => {
    for (const segment of segments) {
      if (segment.status !== 'requested' || segment.endsAskedAt !== null) continue
      const isDue = segment.askedAt === null || (isListed && isPast(segment, 'ask_again', clock()))
      if (isDue) await attempt(startSegment(deps, room, segment))
    }
  })()
  // A recorder that does not answer must not delay the others.
  const stopping = Promise.race([
    Promise.all(stops),
    delay(STOPS_MAX_MS, undefined, { ref: false }),
  ])
  await Promise.all([starting, stopping])
  return failures[0]
}

/** Asks one recorder after the other, until one begins. Throws `MediaError` when all refuse or are silent. */
async function startSegment(
  deps: CallDeps,
  room: RecordedRoom,
  segment: RequestedSegment,
): Promise<void> {
  const { db, clock, log } = deps
  const endMs = performance.now() + NEXT_MAX_MS
  let asked = segment
  let failure: MediaError | undefined
  for (const recorder of await findRecorders(deps, segment)) {
    if (failure !== undefined && performance.now() > endMs) break
    const mayBeWritten = asked.recorder !== null && asked.recorder !== recorder
    const free = mayBeWritten ? await replace(deps, room, asked) : asked
    if (free === undefined) return
    const storageKey = free.askedAt === null ? keyOf(deps, room, free) : free.storageKey
    asked = { ...free, storageKey, recorder, askedAt: clock() }
    if (!(await noteAsked(db, asked))) return
    const answer = await ask(deps, room, { ...asked, recorder }).catch((error: unknown) => {
      if (error instanceof MediaError) return error
      throw error
    })
    if (!(answer instanceof MediaError)) {
      return adoptEgress(deps, room, { storageKey, egress: { ...answer, recorder } })
    }
    failure = answer
    log.warn({ err: failure, room: room.roomId, recorder }, 'recorder did not begin')
    if (failure.hasNoEffect) asked = { ...asked, recorder: null }
  }
  await noteAsked(db, asked)
  if (failure !== undefined) throw failure
}

async function findRecorders(
  { db, media }: CallDeps,
  { roomId, recordingId }: RequestedSegment,
): Promise<readonly string[]> {
  const inTurn = await media.recordersInTurn(roomId)
  if (inTurn.length === 1 || recordingId === null) return inTurn
  return orderOfRecorders(inTurn, await listSegments(db, recordingId))
}

/** The simulated provider delivers no captures, only videos. */
function keyOf({ config }: CallDeps, room: RecordedRoom, { storageKey }: RequestedSegment): string {
  const isCaptured = config.recordings.fromCaptures && room.isSandbox !== true
  return isCaptured ? captureKeyOf(storageKey) : storageKey
}

/**
 * Replaces the segment of a recorder that gave no answer and may be writing it. The next recorder gets a new segment with
 * another key. The old one is given up: it is searched for, ended, and its file is deleted. Returns undefined if it is no
 * longer wanted.
 */
async function replace(
  { db, clock }: CallDeps,
  room: RecordedRoom,
  segment: RequestedSegment,
): Promise<RequestedSegment | undefined> {
  return inTransaction(db, async (tx) => {
    await lockRoom(tx, room)
    const at = clock()
    if (!(await giveUpAsked(tx, segment.id, at))) return undefined
    const id = uuidv7(at.getTime())
    const storageKey = newVideoKey(room.tenantId, 'recording-parts')
    // The new segment keeps the time of the request, so its time limit does not start again.
    const next = { ...segment, id, storageKey, recorder: null, askedAt: null }
    await insertSegment(tx, next)
    return next
  })
}

async function ask(
  { media, storage }: CallDeps,
  room: RecordedRoom,
  { storageKey, person, recorder }: RequestedSegment & { recorder: string },
) {
  const output = await storage.egressOutput(storageKey)
  const identity = person?.mediaIdentity
  const form = videoFormOf(room)
  return media.startEgress({ mediaRoom: room.roomId, recorder, identity, ...form, output })
}
