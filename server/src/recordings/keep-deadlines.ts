import { inTransaction } from '../db/db.ts'
import type { Deps } from '../deps.ts'
import { enqueue } from '../jobs/enqueue.ts'
import { holdRoom } from '../rooms/hold-room.ts'
import { deleteWrittenRequests } from '../storage/delete-objects.job.ts'
import { moveSegment } from './apply-egress.ts'
import { endDeadRecorders } from './end-dead-recorders.ts'
import { judge } from './judge-segment.ts'
import { findRunning, type RecordedRoom } from './running-store.ts'
import { type Deadline, deadlineOf, isFinal, type Segment, type SegmentMove } from './segment.ts'
import { askToEnd, deleteSegment, listUnfinishedSegments } from './segment-store.ts'
import { undoIntention } from './undo-intention.ts'

type DeadlineDeps = Pick<Deps, 'db' | 'media' | 'storage' | 'clock' | 'log'>

/** An egress that began without our knowing has ended with its media room by then. */
const BLIND_MAX_MS = 10 * 60_000

/** Ends what the provider has been busy with for too long, and what belongs to no recording. */
export async function keepDeadlines(deps: DeadlineDeps, room: RecordedRoom): Promise<void> {
  await endWithMediaRoom(deps, room)
  await endDeadRecorders(deps, room)
  await endOverdue(deps, room, () => true)
}

/**
 * The same while the provider does not tell what it is doing: what it may be writing is left to it,
 * but nothing waits for ever for an answer to a start.
 */
export async function keepDeadlinesBlindly(deps: DeadlineDeps, room: RecordedRoom): Promise<void> {
  const { clock } = deps
  const hasWaited = ({ status, statusAt }: Segment) =>
    status === 'requested' && clock().getTime() >= statusAt.getTime() + BLIND_MAX_MS
  await endOverdue(deps, room, hasWaited)
}

async function endOverdue(
  deps: DeadlineDeps,
  room: RecordedRoom,
  isMeant: (segment: Segment) => boolean,
): Promise<void> {
  const { db, clock } = deps
  for (const segment of await listUnfinishedSegments(db, room.roomId)) {
    if (segment.recordingId === null && isFinal(segment)) {
      await discard(deps, segment)
      continue
    }
    const deadline = deadlineOf(segment)
    if (deadline === undefined || clock() < deadline.at || !isMeant(segment)) continue
    await end(deps, room, { segment, action: deadline.action })
  }
}

/** Without a media room nothing more is written; it is given a while to say so itself. */
async function endWithMediaRoom({ db, media, clock }: DeadlineDeps, room: RecordedRoom) {
  const unfinished = await listUnfinishedSegments(db, room.roomId)
  const isWriting = unfinished.some(
    ({ status, endsAskedAt }) => status === 'active' && endsAskedAt === null,
  )
  if (!isWriting || (await media.listRooms([room.roomId])).length > 0) return
  const running = await findRunning(db, room.roomId)
  if (running === undefined) return
  await inTransaction(db, (tx) => askToEnd(tx, running.id, clock()))
}

interface Overdue {
  segment: Segment
  action: Deadline['action']
}

async function end(deps: DeadlineDeps, room: RecordedRoom, { segment, action }: Overdue) {
  const { db, media, clock, log } = deps
  log.warn({ room: room.roomId, status: segment.status, action }, 'part of a recording is overdue')
  const { recordingId, egressId } = segment
  if (action === 'start_timeout' && recordingId !== null) {
    // Before the provider has answered there is no recording that could fail.
    if (await undoIntention(deps, { ...room, recordingId })) return
  }
  const move = action === 'judge' ? await judge(deps, segment) : LOST[action]
  await inTransaction(db, async (tx) => {
    const held = await holdRoom(tx, room)
    const endedAt = segment.endedAt ?? segment.endsAskedAt
    await moveSegment(tx, held, { segment, move, startedAt: null, endedAt, now: clock() })
  })
  if (egressId !== null) await media.stopEgress(egressId)
}

const LOST = {
  start_timeout: { to: 'failed', reason: 'start_timeout' },
  give_up: { to: 'failed', reason: 'provider_failed' },
} as const satisfies Record<string, SegmentMove>

/** What was written for nobody, or still will be: the provider may bring it behind its last word. */
async function discard({ db, clock }: DeadlineDeps, { id, storageKey }: Segment): Promise<void> {
  await inTransaction(db, async (tx) => {
    for (const each of deleteWrittenRequests([storageKey], clock())) await enqueue(tx, each)
    await deleteSegment(tx, id)
  })
}
