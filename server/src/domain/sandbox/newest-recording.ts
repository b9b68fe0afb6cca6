import type { Query } from '../../platform/db/db.ts'
import { listRecordings } from '../recording/recordings/read-recordings.ts'
import type { Recording } from '../recording/recordings/recording.ts'

/** More than a room of a sandbox has. */
const RECORDINGS_MAX = 1_000

/** Undefined in a room that was never recorded. */
export async function newestRecording(
  query: Query,
  roomId: string,
): Promise<Recording | undefined> {
  const all = await listRecordings(query, { roomId, after: undefined, limit: RECORDINGS_MAX })
  return all.at(-1)
}
