import type { FarewellBody } from '@interview-room/contract/farewell.ts'
import type { ShownRecording } from '@interview-room/contract/live-stream.ts'
import type { Query } from '../../../platform/db/db.ts'
import { ServiceError } from '../../../platform/lib/service-error.ts'
import { isSuppressed } from './desired-recording.ts'
import { estimatesOf } from './estimates.ts'
import { isRunning, type Recording, type RecordingKey } from './recording.ts'
import { findLastRecording, type LastRecording } from './running-store.ts'
import {
  findComposingPace,
  listQueuedCompositions,
  findNewest,
  type NewestRecording,
} from './shown-store.ts'
import { findRecording } from './store.ts'

export { listActivities } from './activity-store.ts'
export { listAccesses } from './access-log-store.ts'
export { everybodyLeft, findPlaceInRecording } from './shown-store.ts'
export { listRecordings } from './store.ts'

/** Throws 404 NOT_FOUND. */
export async function readRecording(query: Query, key: RecordingKey): Promise<Recording> {
  const recording = await findRecording(query, key)
  if (recording === undefined) throw new ServiceError('NOT_FOUND')
  return recording
}

/** The estimated times of the files of stopped recordings, by id. The queue is read only if there is such a recording. */
export async function readEstimates(
  query: Query,
  recordings: readonly Pick<Recording, 'status'>[],
  now: Date,
): Promise<ReadonlyMap<string, Date>> {
  if (recordings.every(({ status }) => status !== 'stopped')) return new Map()
  const queue = await listQueuedCompositions(query)
  return estimatesOf(queue, { secPerSec: await findComposingPace(query), now })
}

/** The room's newest recording, with the fields that present participants may see. */
export async function findShownRecording(
  query: Query,
  roomId: string,
  now: Date,
): Promise<ShownRecording> {
  const newest = await findNewest(query, roomId)
  if (newest === undefined) return null
  const { id, status, startedAt, recordedSec, runningSince, isInterrupted, composedPercent } =
    newest
  const estimates = await readEstimates(query, [newest], now)
  const last = isRunning(newest) ? undefined : await findLastRecording(query, roomId, now)
  return {
    id,
    status: shownStatusOf(status),
    started_at: startedAt.toISOString(),
    recorded_sec: recordedSec,
    running_since: runningSince?.toISOString() ?? null,
    is_interrupted: isInterrupted,
    composed_percent: status === 'stopped' ? composedPercent : null,
    estimated_available_at: estimates.get(id)?.toISOString() ?? null,
    is_available: status === 'available',
    missing_sec: newest.missingSec,
    is_broken_off: last !== undefined && isBrokenOff(last),
    is_end_wanted: last !== undefined && isSuppressed(last),
  }
}

/** The room's newest recording, with the state of its file, for staff on their last page. */
export async function findFarewellRecording(
  query: Query,
  roomId: string,
  now: Date,
): Promise<FarewellBody['recording']> {
  const newest = await findNewest(query, roomId)
  if (newest === undefined) return null
  const { id, status, recordedSec } = newest
  const estimates = await readEstimates(query, [newest], now)
  return {
    id,
    status,
    recorded_sec: recordedSec,
    estimated_available_at: estimates.get(id)?.toISOString() ?? null,
  }
}

/** True if nobody stopped it and people in the room may think that it is still running. */
function isBrokenOff({ stopReason, everybodyLeftSince }: LastRecording): boolean {
  return stopReason !== null && stopReason !== 'moderator' && !everybodyLeftSince
}

/** The state of the file is not published to the room. */
function shownStatusOf(status: NewestRecording['status']): NonNullable<ShownRecording>['status'] {
  return status === 'started' || status === 'paused' || status === 'failed' ? status : 'stopped'
}
