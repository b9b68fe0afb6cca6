import type { EntryBody } from '@interview-room/contract/live-entry.ts'
import type { ShownRecording } from '@interview-room/contract/live-stream.ts'
import type { Query } from '../../../platform/db/db.ts'
import { ServiceError } from '../../../platform/lib/service-error.ts'
import { isSuppressed } from './desired-recording.ts'
import { findNewest, type NewestRecording } from './newest-store.ts'
import { isRunning, type Recording, type RecordingKey } from './recording.ts'
import { findLastRecording, findRecordingState } from './running-store.ts'
import { findRecording } from './store.ts'

export { listAccesses, type LoggedAccess } from './access-log-store.ts'
export { findPlaceInRecording } from './place-store.ts'
export { listRecordings } from './store.ts'

/** Throws 404 NOT_FOUND. */
export async function readRecording(query: Query, key: RecordingKey): Promise<Recording> {
  const recording = await findRecording(query, key)
  if (recording === undefined) throw new ServiceError('NOT_FOUND')
  return recording
}

/**
 * What is asked of who enters this room, and whether they are recorded: always, or because a
 * recording is running now.
 */
export async function findRecordingTerms(
  query: Query,
  roomId: string,
): Promise<Pick<EntryBody['room'], 'is_recorded' | 'isRecorded' | 'recording_consent'>> {
  const { isAlways, isRunning } = await findRecordingState(query, roomId)
  const isRecorded = isAlways || isRunning
  return {
    is_recorded: isRecorded,
    isRecorded,
    recording_consent: isAlways ? 'required' : 'optional',
  }
}

/** The newest recording of the room as present participants may know of it. */
export async function findShownRecording(query: Query, roomId: string): Promise<ShownRecording> {
  const newest = await findNewest(query, roomId)
  if (newest === undefined) return null
  const { id, status, startedAt, recordedSec, runningSince, isInterrupted, composedPercent } =
    newest
  return {
    id,
    status: shownStatusOf(status),
    started_at: startedAt.toISOString(),
    recorded_sec: recordedSec,
    running_since: runningSince?.toISOString() ?? null,
    is_interrupted: isInterrupted,
    composed_percent: status === 'stopped' ? composedPercent : null,
    is_end_wanted: !isRunning(newest) && (await isEndWanted(query, roomId)),
  }
}

async function isEndWanted(query: Query, roomId: string): Promise<boolean> {
  const last = await findLastRecording(query, roomId)
  return last !== undefined && isSuppressed(last)
}

/** The state of its file is not published to the room. */
function shownStatusOf(status: NewestRecording['status']): NonNullable<ShownRecording>['status'] {
  return status === 'started' || status === 'paused' || status === 'failed' ? status : 'stopped'
}
