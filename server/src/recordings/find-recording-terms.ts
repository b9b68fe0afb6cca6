import type { EntryBody } from '@interview-room/contract/live-entry.ts'
import type { Query } from '../db/db.ts'

/**
 * What is asked of who enters this room, and whether they are recorded: always, or because a
 * recording is running now.
 */
export async function findRecordingTerms(
  query: Query,
  roomId: string,
): Promise<Pick<EntryBody['room'], 'isRecorded' | 'recording_consent'>> {
  const [row] = await query<{ isAlways: boolean; isRunning: boolean }[]>`
    select r.archive_mode = 'always' as "isAlways",
           exists (select 1 from recordings a
                    where a.room_id = r.id and a.status in ('started', 'paused')) as "isRunning"
      from rooms r
     where r.id = ${roomId}
  `
  const { isAlways = false, isRunning = false } = row ?? {}
  return {
    isRecorded: isAlways || isRunning,
    recording_consent: isAlways ? 'required' : 'optional',
  }
}
