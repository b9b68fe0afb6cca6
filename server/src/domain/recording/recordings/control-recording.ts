import { setTimeout as delay } from 'node:timers/promises'
import type { ErrorDetail } from '@interview-room/contract/errors.ts'
import type { OutputMode } from '@interview-room/contract/vocabulary.ts'
import { inTransaction, type Query, type Tx } from '../../../platform/db/db.ts'
import { enqueue, isUnderWay } from '../../../platform/jobs/enqueue.ts'
import { refuseField, ServiceError } from '../../../platform/lib/service-error.ts'
import type { Deps } from '../../../platform/ports/deps.ts'
import { MediaError } from '../../../platform/ports/media.ts'
import { checkStillAdmitted } from '../../people/admit.ts'
import { findOpenConsents } from '../../people/find-consent.ts'
import { lockRoomAsParticipant } from '../../people/require-holder.ts'
import type { TicketHolder } from '../../people/ticket.ts'
import { moveRecording } from './move-recording.ts'
import {
  requestRecording,
  requestSegments,
  stopRecording,
  undoIntention,
} from './order-recording.ts'
import { followRecordingRequest } from './recording-requests.ts'
import { findRecordable, type Recordable } from './recording-state.ts'
import { beginInterval, endInterval } from './report-store.ts'
import {
  endInterruption,
  findRecordedRoom,
  findRunning,
  markEndWanted,
  hasBegunOrWasStopped,
} from './running-store.ts'
import { requestEnd, listSegments } from './segment-store.ts'
import { isFinal, type SegmentPerson } from './segment.ts'
import { type LockedRecording, findLockedRecording } from './store.ts'

type ControlDeps = Pick<Deps, 'db' | 'media' | 'storage' | 'clock' | 'config' | 'log'>

/**
 * Starts recording for a moderator. A recording that is running or about to start continues, and a paused one resumes. Throws like
 * `orderByModerator`; 502 RTC_PROVISION_FAILED when the provider does not start, and then there is no recording; the refusals of
 * admission if the room is closed meanwhile. If another moderator stops it before it begins, that is no error.
 */
export async function startByModerator(
  deps: ControlDeps,
  holder: TicketHolder,
  outputMode: OutputMode,
): Promise<void> {
  const { db } = deps
  const { roomId } = holder
  const { id, isOwn, present } = await orderByModerator(deps, holder, outputMode)
  if (await awaitBeginning(deps, roomId)) return
  if (isOwn) await undoIntention(deps, { ...holder, recordingId: id })
  if (await hasBegunOrWasStopped(db, id)) return
  // A close, the removal of the moderator or a withdrawn consent ended it before it began, so the provider is not to blame.
  await checkStillAdmitted(deps, holder)
  await refuseRecording(db, roomId, present.all)
  throw new ServiceError('RTC_PROVISION_FAILED', { note: 'not begun to record' })
}

/**
 * Stores a moderator's order to record, for the job that asks the provider. Throws 422 VALIDATION_ERROR like `refuseRecording`,
 * and with ROOM_EMPTY if each person is to be recorded separately and nobody publishes.
 */
export async function orderByModerator(
  deps: ControlDeps,
  holder: TicketHolder,
  outputMode: OutputMode,
): Promise<{ id: string; isOwn: boolean; present: Recordable }> {
  const { db, clock } = deps
  const { roomId } = holder
  const present = await findPresent(deps, roomId)
  return inTransaction(db, async (tx) => {
    const locked = await lockRoomAsParticipant(tx, clock, holder)
    const joined = await findRunning(tx, roomId)
    if (joined !== undefined) {
      const recording = await findLockedRecording(tx, locked, joined.id)
      if (recording !== undefined) await resume(tx, recording, { present, now: clock() })
      else await enqueue(tx, followRecordingRequest(roomId))
      return { id: joined.id, isOwn: false, present }
    }
    await refuseRecording(tx, roomId, present.all)
    const people = outputMode === 'individual' ? present.publishers : []
    if (outputMode === 'individual' && people.length === 0) {
      throw roomEmpty('a moderator or a panelist must send audio or video')
    }
    const order = { ...locked, outputMode, isAutomatic: false, people }
    return { id: await requestRecording(tx, order, clock()), isOwn: true, present }
  })
}

/** The time within which a moderator gets an answer to a start, in milliseconds. */
const BEGINNING_MAX_MS = 14_000
const POLL_MS = 25

/**
 * Waits while the room's job is under way, which is the only one that asks the provider. Returns false if no recording has
 * begun then.
 */
async function awaitBeginning({ db }: Pick<Deps, 'db'>, roomId: string): Promise<boolean> {
  const deadlineMs = performance.now() + BEGINNING_MAX_MS
  for (;;) {
    // Read first: the provider may answer between the two reads.
    const isAsking = await isUnderWay(db, followRecordingRequest(roomId))
    const running = await findRunning(db, roomId)
    if (running?.isIntention !== true) return running !== undefined
    if (!isAsking || performance.now() > deadlineMs) return false
    await delay(POLL_MS)
  }
}

/** Pauses the recording. A repeat changes nothing. Throws 409 RECORDING_NOT_AVAILABLE without one. */
export async function pauseByModerator(deps: ControlDeps, holder: TicketHolder): Promise<void> {
  await awaitBeginning(deps, holder.roomId)
  await changeRunning(deps, holder, async (tx, recording) => {
    const now = deps.clock()
    await endInterruption(tx, recording.id)
    await moveRecording(tx, recording, { to: 'paused', at: now })
    await endInterval(tx, recording.id, now)
    await requestEnd(tx, recording.id, now)
  })
}

/**
 * Resumes the recording with a new segment. Throws like `pauseByModerator`, and 422 VALIDATION_ERROR like
 * `refuseRecording`.
 */
export async function resumeByModerator(deps: ControlDeps, holder: TicketHolder): Promise<void> {
  const present = await findPresent(deps, holder.roomId)
  await changeRunning(deps, holder, (tx, recording) =>
    resume(tx, recording, { present, now: deps.clock() }),
  )
}

/** Does nothing unless it is paused. */
async function resume(
  tx: Tx,
  recording: LockedRecording,
  { present, now }: { present: Recordable; now: Date },
): Promise<void> {
  const { id, tenantId, roomId, outputMode, status } = recording
  if (status !== 'paused') return
  await refuseRecording(tx, roomId, present.all)
  if (!(await moveRecording(tx, recording, { to: 'started', at: now }))) return
  await beginInterval(tx, id, now)
  const segments = await listSegments(tx, id)
  // The recording was interrupted and is already resuming automatically.
  const isBeginning = segments.some((each) => !isFinal(each) && each.endsAskedAt === null)
  if ((await endInterruption(tx, id)) && isBeginning) return
  const position = (segments.at(-1)?.position ?? 0) + 1
  const people = present.publishers
  await requestSegments(
    tx,
    { tenantId, roomId, recordingId: id, outputMode, people, position },
    now,
  )
}

/** Ends the recording for good. A repeat changes nothing. */
export async function stopByModerator(deps: ControlDeps, holder: TicketHolder): Promise<void> {
  await inTransaction(deps.db, async (tx) => {
    const locked = await lockRoomAsParticipant(tx, deps.clock, holder)
    // A recording that broke off or was refused would otherwise be followed by another one.
    await markEndWanted(tx, locked.roomId)
    await stopRecording(tx, locked, { reason: 'moderator', now: deps.clock() })
  })
}

async function changeRunning(
  deps: ControlDeps,
  holder: TicketHolder,
  change: (tx: Tx, recording: LockedRecording) => Promise<void>,
): Promise<void> {
  await inTransaction(deps.db, async (tx) => {
    const locked = await lockRoomAsParticipant(tx, deps.clock, holder)
    const running = await findRunning(tx, holder.roomId)
    const recording = running && (await findLockedRecording(tx, locked, running.id))
    if (recording === undefined) throw new ServiceError('RECORDING_NOT_AVAILABLE')
    await change(tx, recording)
    await enqueue(tx, followRecordingRequest(holder.roomId))
  })
}

/** The people in the media room according to the provider. Throws 502 RTC_PROVISION_FAILED when it does not answer. */
async function findPresent(deps: ControlDeps, roomId: string): Promise<Recordable> {
  try {
    return await findRecordable(deps, roomId)
  } catch (cause) {
    if (!(cause instanceof MediaError)) throw cause
    throw new ServiceError('RTC_PROVISION_FAILED', { note: 'ask who is in the room', cause })
  }
}

const roomEmpty = (message: string) =>
  refuseField('VALIDATION_ERROR', { field: 'room', code: 'ROOM_EMPTY', message })

const DETAILS_MAX = 50

/**
 * Throws 422 VALIDATION_ERROR if nothing may be recorded now. CONSENT_REQUIRED names all present participants who have not
 * agreed. ROOM_EMPTY means that nobody is present.
 * @param present the people in the media room; their entries may not be stored yet.
 */
async function refuseRecording(
  query: Query,
  roomId: string,
  present: readonly Pick<SegmentPerson, 'mediaIdentity' | 'role'>[],
): Promise<void> {
  const room = await findRecordedRoom(query, roomId)
  if (room?.presentCount === 0 && present.length === 0) {
    throw roomEmpty('a moderator or a panelist must be in the room')
  }
  const { missing } = await findOpenConsents(query, roomId, present)
  if (missing.length === 0) return
  const details = missing.slice(0, DETAILS_MAX).map((identity): ErrorDetail => ({
    field: `participants.${identity}`,
    code: 'CONSENT_REQUIRED',
    message: 'has not agreed to be recorded',
  }))
  throw new ServiceError('VALIDATION_ERROR', { details })
}
