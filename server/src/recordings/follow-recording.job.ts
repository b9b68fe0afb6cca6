import { inTransaction } from '../db/db.ts'
import type { Deps } from '../deps.ts'
import { enqueue } from '../jobs/enqueue.ts'
import type { Job } from '../jobs/job.ts'
import { compareWithProvider } from './compare-with-provider.ts'
import { finishRecordingRequest } from './finish-recording-request.ts'
import { followNeed } from './follow-need.ts'
import { FOLLOW_RECORDING } from './follow-recording-request.ts'
import { keepDeadlines, keepDeadlinesBlindly } from './keep-deadlines.ts'
import { recordNewcomers } from './record-newcomers.ts'
import { resumeInterrupted } from './resume-interrupted.ts'
import { findRecordedRoom, listUnfinishedRecordings, type RecordedRoom } from './running-store.ts'
import { deadlineOf, recorderDeadlineOf, type Segment } from './segment.ts'
import { listUnfinishedSegments } from './segment-store.ts'
import { startRequested } from './start-requested.ts'
import { ANSWER_MAX_MS } from './start-segment.ts'

type FollowDeps = Pick<Deps, 'db' | 'media' | 'storage' | 'clock' | 'config' | 'log'>

/**
 * Brings the recording of a room to where it should be, from wherever it is: begins and ends it as
 * the room needs, tells the provider what was asked for, takes over what the provider has done, and
 * keeps the deadlines. Whoever changes something asks for it; while something is unfinished it
 * comes back by itself.
 */
export function followRecordingJob(deps: FollowDeps): Job {
  const { db, clock } = deps
  return {
    kind: FOLLOW_RECORDING,
    async run({ key: roomId }) {
      const room = await findRecordedRoom(db, roomId)
      if (room === undefined) return { outcome: 'done' }
      try {
        await compareWithProvider(deps, room)
      } catch (error) {
        await keepDeadlinesBlindly(deps, room)
        throw error
      }
      await keepDeadlines(deps, room)
      const neededAt = await followNeed(deps, room)
      const resumedAt = await resumeInterrupted(deps, room)
      await recordNewcomers(deps, room)
      await startRequested(deps, roomId)
      await finishEnded(deps, room)
      const unfinished = await listUnfinishedSegments(db, roomId)
      const at = nextLook(unfinished, {
        lookAgainAt: [neededAt, resumedAt],
        now: clock(),
        everySec: deps.config.reconcileEverySec,
      })
      return at === undefined ? { outcome: 'done' } : { outcome: 'again', at }
    },
  }
}

/** Should the last word of the provider have been heard, and the file never made. */
async function finishEnded({ db }: FollowDeps, { roomId, tenantId }: RecordedRoom): Promise<void> {
  if ((await listUnfinishedSegments(db, roomId)).some(({ recordingId }) => recordingId !== null)) {
    return
  }
  for (const id of await listUnfinishedRecordings(db, roomId)) {
    await inTransaction(db, (tx) => enqueue(tx, finishRecordingRequest({ id, tenantId })))
  }
}

interface Looking {
  lookAgainAt: readonly (Date | undefined)[]
  now: Date
  everySec: number
}

function nextLook(
  unfinished: readonly Segment[],
  { lookAgainAt, now, everySec }: Looking,
): Date | undefined {
  const times = unfinished.flatMap((segment) => {
    const asked = segment.status === 'requested' ? segment.askedAt : null
    return [
      deadlineOf(segment)?.at,
      recorderDeadlineOf(segment),
      asked === null ? undefined : new Date(asked.getTime() + ANSWER_MAX_MS),
      new Date(now.getTime() + everySec * 1000),
    ]
  })
  const known = [...times, ...lookAgainAt].filter((at) => at !== undefined && at > now) as Date[]
  return known.toSorted((a, b) => a.getTime() - b.getTime())[0]
}
