import type { OutputMode } from '@interview-room/contract/vocabulary.ts'
import { inTransaction, type Tx } from '../db/db.ts'
import type { Deps } from '../deps.ts'
import { enqueue } from '../jobs/enqueue.ts'
import { ServiceError } from '../lib/service-error.ts'
import { holdRoomInside } from '../live/require-holder.ts'
import type { TicketHolder } from '../live/ticket.ts'
import { MediaError } from '../media/media.ts'
import type { RoomKey } from '../rooms/find-room-key.ts'
import { followRecordingRequest } from './follow-recording-request.ts'
import { moveRecording } from './move-recording.ts'
import { findPublishers } from './publishers.ts'
import type { Recording } from './recording.ts'
import { requestRecording, requestSegments } from './request-recording.ts'
import { findRunning } from './running-store.ts'
import { askToEnd, listSegments } from './segment-store.ts'
import { startRequested } from './start-requested.ts'
import { stopRecording } from './stop-recording.ts'
import { lockRecording } from './store.ts'
import { undoIntention } from './undo-intention.ts'

type ControlDeps = Pick<Deps, 'db' | 'media' | 'storage' | 'clock' | 'config' | 'log'>

/**
 * Begins to record, at a moderator's word. One that runs already goes on: no error. Throws
 * 502 RTC_PROVISION_FAILED when the provider does not begin, and then there is no recording.
 */
export async function startByModerator(
  deps: ControlDeps,
  holder: TicketHolder,
  outputMode: OutputMode,
): Promise<void> {
  const { db, clock } = deps
  const people = outputMode === 'individual' ? await findPublishers(deps, holder.roomId) : []
  const id = await inTransaction(db, async (tx) => {
    await holdRoomInside(tx, clock, holder)
    const order = { ...keyOf(holder), outputMode, isAutomatic: false, people }
    return requestRecording(tx, order, clock())
  })
  try {
    await startRequested(deps, holder.roomId)
  } catch (error) {
    if (!(error instanceof MediaError)) throw error
    if (id !== undefined) await undoIntention(deps, { ...keyOf(holder), recordingId: id })
    throw new ServiceError('RTC_PROVISION_FAILED', { note: 'start a recording', cause: error })
  }
  // One that was about to begin by itself, and does not.
  if ((await findRunning(db, holder.roomId))?.isIntention === true && id === undefined) {
    throw new ServiceError('RTC_PROVISION_FAILED', { note: 'the recording has not begun yet' })
  }
}

/** Stops writing for a while; a repeat changes nothing. Throws 409 RECORDING_NOT_AVAILABLE without one. */
export async function pauseByModerator(deps: ControlDeps, holder: TicketHolder): Promise<void> {
  await changeRunning(deps, holder, async (tx, recording) => {
    const now = deps.clock()
    await moveRecording(tx, recording, { to: 'paused', at: now })
    await askToEnd(tx, recording.id, now)
  })
}

/** Goes on writing, into a part of its own. Throws like `pauseByModerator`. */
export async function resumeByModerator(deps: ControlDeps, holder: TicketHolder): Promise<void> {
  const publishers = await findPublishers(deps, holder.roomId)
  await changeRunning(deps, holder, async (tx, recording) => {
    const now = deps.clock()
    if (!(await moveRecording(tx, recording, { to: 'started', at: now }))) return
    const { id, tenantId, roomId, outputMode } = recording
    const last = (await listSegments(tx, id)).at(-1)
    const position = (last?.position ?? 0) + 1
    const order = { tenantId, roomId, recordingId: id, outputMode, people: publishers, position }
    await requestSegments(tx, order, now)
  })
}

/** Ends it for good; a repeat changes nothing. */
export async function stopByModerator(deps: ControlDeps, holder: TicketHolder): Promise<void> {
  await inTransaction(deps.db, async (tx) => {
    await holdRoomInside(tx, deps.clock, holder)
    await stopRecording(tx, keyOf(holder), { reason: 'moderator', now: deps.clock() })
  })
  await hasten(deps, holder.roomId)
}

async function changeRunning(
  deps: ControlDeps,
  holder: TicketHolder,
  change: (tx: Tx, recording: Recording) => Promise<void>,
): Promise<void> {
  await inTransaction(deps.db, async (tx) => {
    await holdRoomInside(tx, deps.clock, holder)
    const running = await findRunning(tx, holder.roomId)
    const { tenantId, roomId } = holder
    const recording =
      running && (await lockRecording(tx, { tenantId, recordingId: running.id }, 'update'))
    if (recording === undefined) throw new ServiceError('RECORDING_NOT_AVAILABLE')
    await change(tx, recording)
    await enqueue(tx, followRecordingRequest(roomId))
  })
  await hasten(deps, holder.roomId)
}

/** What was asked for is in rows, and a job brings it to the provider: this only spares its turn. */
async function hasten(deps: ControlDeps, roomId: string): Promise<void> {
  try {
    await startRequested(deps, roomId)
  } catch (error) {
    if (!(error instanceof MediaError)) throw error
    deps.log.warn({ err: error, room: roomId }, 'part of a recording not begun yet')
  }
}

const keyOf = ({ tenantId, roomId }: RoomKey): RoomKey => ({ tenantId, roomId })
