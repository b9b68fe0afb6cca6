import type { ShownRecording } from '@interview-room/contract/live-stream.ts'
import type { Query } from '../db/db.ts'
import { isRunning } from './recording.ts'
import { isHeldBack } from './recording-need.ts'
import { findLastRecording, findNewest, type NewestRecording } from './running-store.ts'

/** The newest recording of the room as everybody inside may know of it. */
export async function findShownRecording(query: Query, roomId: string): Promise<ShownRecording> {
  const newest = await findNewest(query, roomId)
  if (newest === undefined) return null
  const { id, status, startedAt, recordedSec, runningSince } = newest
  return {
    id,
    status: shownStatusOf(status),
    started_at: startedAt.toISOString(),
    recorded_sec: recordedSec,
    running_since: runningSince?.toISOString() ?? null,
    is_end_wanted: !isRunning(newest) && (await isEndWanted(query, roomId)),
  }
}

async function isEndWanted(query: Query, roomId: string): Promise<boolean> {
  const last = await findLastRecording(query, roomId)
  return last !== undefined && isHeldBack(last)
}

/** What becomes of its file is nothing that those inside are told. */
function shownStatusOf(status: NewestRecording['status']): NonNullable<ShownRecording>['status'] {
  return status === 'started' || status === 'paused' || status === 'failed' ? status : 'stopped'
}
