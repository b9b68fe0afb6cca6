import { setTimeout as delay } from 'node:timers/promises'
import type { Deps } from '../../../platform/ports/deps.ts'
import { MediaError } from '../../../platform/ports/media.ts'
import { isBeingAsked } from './ask-store.ts'
import { findRecordedRoom, findRunning, type RunningRow } from './running-store.ts'
import { ANSWER_MAX_MS } from './segment-limits.ts'
import { listUnfinishedSegments } from './segment-store.ts'
import { isWritten, type Segment } from './segment.ts'
import { type StartDeps, startSegment } from './start-segment.ts'

/** A provider takes many seconds to answer a stop of an egress that has not begun. */
const AWAITED_MAX_MS = 1_000

const POLL_MS = 50
const WILL_BE_RETRIED = 'recording reconciliation failed, will be retried'

/**
 * Sends every outstanding start and stop to the provider. A segment without an answer, such as one whose worker died, does
 * not delay the others. Returns the first error.
 */
export async function callProvider(
  deps: StartDeps,
  roomId: string,
): Promise<MediaError | undefined> {
  const room = await findRecordedRoom(deps.db, roomId)
  if (room === undefined) return undefined
  const failures: MediaError[] = []
  const attempt = (call: Promise<void>) =>
    call.catch((error: unknown) => {
      if (!(error instanceof MediaError)) throw error
      failures.push(error)
    })
  const segments = await listUnfinishedSegments(deps.db, roomId)
  // A recorder that does not answer must not delay the others.
  const ending = segments.map((segment) => attempt(endSegment(deps, segment)))
  const starting = (async () => {
    for (const segment of segments) {
      if (segment.status !== 'requested' || segment.endsAskedAt !== null) continue
      await attempt(startSegment(deps, room, segment))
    }
  })()
  await Promise.all([...ending, starting])
  return failures[0]
}

async function endSegment({ media }: StartDeps, segment: Segment): Promise<void> {
  if (segment.endsAskedAt !== null && isWritten(segment)) await media.stopEgress(segment)
}

/**
 * Calls the provider right away, for at most a moment. The request is stored in rows, and a job repeats it, so this only
 * saves the wait for the job.
 */
export async function followRecordingNow(deps: StartDeps, roomId: string): Promise<void> {
  const { log } = deps
  const seen = (err: unknown) => [{ err, room: roomId }, WILL_BE_RETRIED] as const
  const asking = callProvider(deps, roomId).then(
    (error) => error && log.warn(...seen(error)),
    (error: unknown) => log.error(...seen(error)),
  )
  await Promise.race([asking, delay(AWAITED_MAX_MS, undefined, { ref: false })])
}

/**
 * Waits for the caller that is asking the provider to start: another request, another replica, or the job. Returns the
 * running recording. The wait is as long as an answer may take.
 */
export async function awaitBeginning(
  { db, clock }: Pick<Deps, 'db' | 'clock'>,
  roomId: string,
): Promise<RunningRow | undefined> {
  const deadlineMs = performance.now() + ANSWER_MAX_MS
  for (;;) {
    const running = await findRunning(db, roomId)
    if (running?.isIntention !== true || performance.now() > deadlineMs) return running
    const since = new Date(clock().getTime() - ANSWER_MAX_MS)
    if (!(await isBeingAsked(db, { recordingId: running.id, since }))) {
      // The answer may have arrived between the two reads.
      return findRunning(db, roomId)
    }
    await delay(POLL_MS)
  }
}
