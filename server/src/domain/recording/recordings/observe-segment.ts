import { inTransaction, type Tx } from '../../../platform/db/db.ts'
import { enqueue, enqueueOnce } from '../../../platform/jobs/enqueue.ts'
import type { Deps } from '../../../platform/ports/deps.ts'
import type { ListedEgress } from '../../../platform/ports/egress.ts'
import { lockRoom } from '../../booking/lock-room.ts'
import { sendArchiveStatus } from '../../chat/send-archive-status.ts'
import { appendRoomEvent } from '../../room-log/append-room-event.ts'
import { publishLiveEvent } from '../../room-log/publish-live-event.ts'
import { nextRoomMoment } from '../../room-log/room-clock.ts'
import type { LockedRoomKey, RoomKey } from '../../room-log/room-lock.ts'
import { decide, type Observation, type SeenEgress, type Transition } from './decide-segment.ts'
import {
  endRecording,
  failRecording,
  moveRecording,
  publishStatusChange,
} from './move-recording.ts'
import { requestSegments } from './order-recording.ts'
import {
  composeAheadRequest,
  finishRecordingRequest,
  followRecordingRequest,
} from './recording-requests.ts'
import { isRunning } from './recording.ts'
import { countRestart, endInterruption, findRunning, publishIntention } from './running-store.ts'
import { type Consequence, consequenceOf } from './segment-consequence.ts'
import {
  findSegment,
  listSegments,
  requestEnd,
  type SegmentRef,
  storeSegment,
} from './segment-store.ts'
import {
  isCapture,
  isFinal,
  isInDoubt,
  isLost,
  isOver,
  type Segment,
  startedAtOf,
} from './segment.ts'
import { findLockedRecording, type LockedRecording } from './store.ts'

export type ObserveDeps = Pick<Deps, 'db' | 'clock' | 'log'>

/** A fact about one segment of a room. */
export interface SegmentNews {
  ref: SegmentRef
  observation: Observation
}

/**
 * Applies an observation to a segment and to its recording. It may arrive from any source and any number of times. Returns
 * undefined if it changed nothing. It is decided twice: first without the room's lock, to see whether there is a change.
 */
export async function observe(
  deps: ObserveDeps,
  room: RoomKey,
  news: SegmentNews,
): Promise<Transition | undefined> {
  const { db, clock } = deps
  const seen = await findSegment(db, { roomId: room.roomId, ...news.ref })
  if (seen === undefined || decide(seen, news.observation, clock()) === undefined) return undefined
  return inTransaction(db, async (tx) => observeLocked(tx, await lockRoom(tx, room), deps, news))
}

/** The same in a transaction that has locked the room. It is the only writer of a segment's state. */
export async function observeLocked(
  tx: Tx,
  room: LockedRoomKey,
  { clock, log }: Pick<Deps, 'clock' | 'log'>,
  { ref, observation }: SegmentNews,
): Promise<Transition | undefined> {
  const now = clock()
  const before = await findSegment(tx, { roomId: room.roomId, ...ref }, 'for update')
  if (before === undefined) return undefined
  const transition = decide(before, observation, now)
  if (transition === undefined) return undefined
  if (isLost(before) && transition.to.status === 'complete') {
    if (!(await isAwaited(tx, room, before))) return undefined
    const { recordingId, egressId } = before
    log.warn({ recordingId, egressId }, 'segment file arrived late')
  }
  await storeSegment(tx, transition.to, now)
  if (WAKING.includes(transition.sign)) await enqueue(tx, followRecordingRequest(room.roomId))
  await applyToRecording(tx, room, { before, transition, now })
  return transition
}

/** Signs after which the room's job has something to do. */
const WAKING: readonly Transition['sign'][] = ['breaks', 'recorder leaves', 'stands still']

/** A recording that has its file or has failed gets no more segments. A late file is kept separately. */
async function isAwaited(tx: Tx, room: LockedRoomKey, { recordingId }: Segment): Promise<boolean> {
  if (recordingId === null) return false
  const recording = await findLockedRecording(tx, room, recordingId)
  return recording !== undefined && (isRunning(recording) || recording.status === 'stopped')
}

interface SegmentChange {
  before: Segment
  transition: Transition
  now: Date
}

async function applyToRecording(
  tx: Tx,
  room: LockedRoomKey,
  { before, transition, now }: SegmentChange,
): Promise<void> {
  const { sign, to, interrupts } = transition
  const { recordingId } = to
  if (recordingId === null) return
  if (before.status === 'requested' && 'egressId' in to && to.egressId !== null) {
    await publish(tx, room, recordingId, to.egressId)
  }
  const hasMoved = before.status !== to.status
  if (hasMoved && to.status === 'active') {
    await goOn(tx, room, recordingId, now)
    const { tenantId } = room
    const isComposedAhead = isCapture(to) && to.person === null
    if (isComposedAhead)
      await enqueueOnce(tx, composeAheadRequest({ id: recordingId, tenantId }, now))
  }
  const [knownStart, start] = [startedAtOf(before), startedAtOf(to)]
  if (interrupts === true) await interruptRecording(tx, room, { segment: to, recordingId, now })
  if (knownStart === null && start !== null) await announceBeginning(tx, room, to)
  // Several may be unusable at once. Then the caller applies what follows from all of them together.
  if (hasMoved && !isInDoubt(to) && sign !== 'unusable') {
    await applyConsequences(tx, room, transition, now)
  }
  const isNewStart = start?.getTime() !== knownStart?.getTime()
  if (to.status === 'active' && (hasMoved || isNewStart)) {
    await publishLiveEvent(tx, room, { name: 'recording' })
  }
}

/** Makes an intention a recording at its first known egress. */
async function publish(
  tx: Tx,
  locked: LockedRoomKey,
  recordingId: string,
  egressId: string,
): Promise<void> {
  const { seq, at } = await nextRoomMoment(tx, locked)
  if (!(await publishIntention(tx, { id: recordingId, egressId, seq, at }))) return
  const change = { to: 'started', from: null, failureReason: null, version: 1, at } as const
  await publishStatusChange(tx, { id: recordingId, ...locked }, change)
}

/** A recording whose recorder had died continues with this segment. */
async function goOn(tx: Tx, room: LockedRoomKey, recordingId: string, now: Date): Promise<void> {
  const recording = await findLockedRecording(tx, room, recordingId)
  if (recording?.status !== 'paused' || !(await endInterruption(tx, recordingId))) return
  await moveRecording(tx, recording, { to: 'started', at: now })
}

/** The chat says once that media is being written. In an individual recording the segments begin one after the other. */
async function announceBeginning(tx: Tx, room: LockedRoomKey, segment: Segment): Promise<void> {
  const running = await findRunning(tx, room.roomId)
  if (running?.status !== 'started' || running.id !== segment.recordingId) return
  const others = (await listSegments(tx, running.id)).filter(({ id }) => id !== segment.id)
  const hasBegun = others.some(
    (each) => each.position === segment.position && startedAtOf(each) !== null,
  )
  if (!hasBegun) await sendArchiveStatus(tx, room, 'started')
}

async function applyConsequences(
  tx: Tx,
  room: LockedRoomKey,
  { to: { id: movedId, recordingId }, hitLimit }: Transition,
  now: Date,
): Promise<void> {
  const recording =
    recordingId === null ? undefined : await findLockedRecording(tx, room, recordingId)
  if (recording === undefined) return
  if (hitLimit === true) {
    const payload = { recording_id: recording.id }
    await appendRoomEvent(tx, { ...recording, eventType: 'recording.limit_reached', payload })
  }
  const segments = await listSegments(tx, recording.id)
  for (const consequence of consequenceOf(recording, segments, movedId)) {
    await applyConsequence(tx, recording, { consequence, now })
  }
}

/** Applies the consequences of its segments to a locked recording. */
export async function applyConsequence(
  tx: Tx,
  recording: LockedRecording,
  { consequence, now }: { consequence: Consequence; now: Date },
): Promise<void> {
  const { id, tenantId, roomId, outputMode } = recording
  switch (consequence.do) {
    case 'again': {
      const { position, person } = consequence.segment
      const people = person === null ? [] : [person]
      const order = { tenantId, roomId, recordingId: id, outputMode, people, position, attempt: 2 }
      return requestSegments(tx, order, now)
    }
    case 'note_loss':
      return noteLoss(tx, recording, consequence.reason)
    case 'stop':
      return endRecording(tx, recording, { reason: 'provider', now })
    case 'fail':
      return failRecording(tx, recording, { reason: consequence.reason, now })
    case 'finish':
      return enqueue(tx, finishRecordingRequest(recording))
  }
}

/** Logs that a segment is lost. The rest is kept, and the recording still becomes available. */
export async function noteLoss(tx: Tx, recording: LockedRecording, reason: string): Promise<void> {
  const payload = { recording_id: recording.id, failure_reason: reason, is_partly_kept: true }
  await appendRoomEvent(tx, { ...recording, eventType: 'recording.failed', payload })
}

/**
 * Pauses a running recording until another segment begins. In an individual recording the others continue, and this person
 * gets another segment.
 */
async function interruptRecording(
  tx: Tx,
  room: LockedRoomKey,
  { segment, recordingId, now }: { segment: Segment; recordingId: string; now: Date },
): Promise<void> {
  const recording = await findLockedRecording(tx, room, recordingId)
  if (recording?.outputMode !== 'composed' || recording.status !== 'started') return
  if (await countRestart(tx, recordingId, now)) {
    await moveRecording(tx, recording, { to: 'paused', isInterruption: true, at: now })
    // Continue without waiting for the end, because delivering the file may take a while.
    if (!isOver(segment)) await requestEnd(tx, recordingId, now)
    await enqueue(tx, followRecordingRequest(room.roomId))
  } else if (!isFinal(segment)) {
    // It was interrupted too often. The next one begins without waiting for this recorder.
    await endRecording(tx, recording, { reason: 'provider', now })
  }
}

/**
 * Stores the egress that writes a segment, and publishes the recording at its first known egress. An egress is ended if its
 * segment has another egress or no longer exists.
 */
export async function adoptEgress(
  deps: ObserveDeps & Pick<Deps, 'media'>,
  room: RoomKey,
  { storageKey, egress }: { storageKey: string; egress: ListedEgress & SeenEgress },
): Promise<void> {
  const isOurs = await inTransaction(deps.db, async (tx) => {
    const locked = await lockRoom(tx, room)
    const segment = await findSegment(tx, { roomId: room.roomId, storageKey })
    if (segment === undefined || isFinal(segment)) return false
    if (segment.status !== 'requested') return segment.egressId === egress.egressId
    const news = { ref: { storageKey }, observation: { of: 'egress', egress } } as const
    await observeLocked(tx, locked, deps, news)
    return true
  })
  if (!isOurs) await deps.media.stopEgress(egress)
}
