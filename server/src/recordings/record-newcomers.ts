import { inTransaction } from '../db/db.ts'
import type { Deps } from '../deps.ts'
import { findMissingConsents } from '../facts/find-consent.ts'
import { holdRoom } from '../rooms/hold-room.ts'
import { findPublishers } from './publishers.ts'
import { requestSegments } from './request-recording.ts'
import { findRunning, type RecordedPerson, type RecordedRoom } from './running-store.ts'
import { isFinal, type Segment } from './segment.ts'
import { listSegments } from './segment-store.ts'

/** Pause before somebody whose part failed gets another one, in milliseconds. */
const AFTER_FAILURE_MS = 30_000
/** Parts of one person that fail, after which there are no more. */
const FAILURES_MAX = 6

/** Gives everybody who came to an individual recording a part of their own. Throws `MediaError`. */
export async function recordNewcomers(
  deps: Pick<Deps, 'db' | 'media' | 'clock'>,
  room: RecordedRoom,
): Promise<void> {
  const { db, clock } = deps
  const running = await findRunning(db, room.roomId)
  if (running?.status !== 'started' || running.outputMode !== 'individual') return
  const people = await findPublishers(deps, room.roomId)
  await inTransaction(db, async (tx) => {
    await holdRoom(tx, room)
    const still = await findRunning(tx, room.roomId)
    if (still?.id !== running.id || still.status !== 'started') return
    const segments = await listSegments(tx, running.id)
    const { missing } = await findMissingConsents(tx, room.roomId)
    const now = clock()
    const newcomers = people.filter(
      (person) => !missing.includes(person.mediaIdentity) && isWithoutPart(person, segments, now),
    )
    if (newcomers.length === 0) return
    const position = Math.max(0, ...segments.map((each) => each.position))
    const { tenantId, roomId } = room
    const { id: recordingId, outputMode } = running
    const order = { tenantId, roomId, recordingId, outputMode, people: newcomers, position }
    await requestSegments(tx, order, now)
  })
}

function isWithoutPart(
  { mediaIdentity }: RecordedPerson,
  segments: readonly Segment[],
  now: Date,
): boolean {
  const theirs = segments.filter(({ person }) => person?.mediaIdentity === mediaIdentity)
  if (theirs.some((each) => !isFinal(each))) return false
  const last = theirs.at(-1)
  if (last === undefined || last.status === 'complete') return true
  if (theirs.filter(({ status }) => status !== 'complete').length >= FAILURES_MAX) return false
  return now.getTime() >= last.statusAt.getTime() + AFTER_FAILURE_MS
}
