import { setTimeout as delay } from 'node:timers/promises'
import type { Deps } from '../../../platform/ports/deps.ts'
import { MediaError } from '../../../platform/ports/media.ts'
import { isBeingAsked } from './ask-store.ts'
import { commandOf } from './recording-plan.ts'
import { findRecordedRoom, findRunning, type RunningRow } from './running-store.ts'
import { listUnfinishedSegments } from './segment-store.ts'
import { ANSWER_MAX_MS, type Segment } from './segment.ts'
import { type StartDeps, startSegment } from './start-segment.ts'

/** A provider answers a stop of what has not begun yet only after many seconds. */
const AWAITED_MAX_MS = 1_000

const POLL_MS = 50

/**
 * Asks the provider for every segment that was requested, and to end what shall end. One that it does not
 * answer for, such as a stop whose worker died, keeps none of the others. Throws the first `MediaError`.
 */
export async function callProvider(deps: StartDeps, roomId: string): Promise<void> {
  const room = await findRecordedRoom(deps.db, roomId)
  if (room === undefined) return
  const failures: MediaError[] = []
  const attempt = (call: Promise<void>) =>
    call.catch((error: unknown) => {
      if (!(error instanceof MediaError)) throw error
      failures.push(error)
    })
  const segments = await listUnfinishedSegments(deps.db, roomId)
  // A recorder that does not answer keeps no other one waiting.
  const ending = segments.map((segment) => attempt(endSegment(deps, segment)))
  const starting = (async () => {
    for (const segment of segments) {
      if (commandOf(segment)?.do !== 'start') continue
      await attempt(startSegment(deps, room, segment))
    }
  })()
  await Promise.all([...ending, starting])
  if (failures[0] !== undefined) throw failures[0]
}

async function endSegment({ media }: StartDeps, segment: Segment): Promise<void> {
  const command = commandOf(segment)
  if (command?.do !== 'stop') return
  await media.stopEgress({ egressId: command.egressId, recorder: segment.recorder })
}

/**
 * The request is stored in rows, and a job brings it to the provider: this only saves the wait for the job,
 * and keeps the caller for no longer than a moment.
 */
export async function reconcileRecordingNow(deps: StartDeps, roomId: string): Promise<void> {
  const { log } = deps
  const asking = callProvider(deps, roomId).catch((error: unknown) => {
    const level = error instanceof MediaError ? 'warn' : 'error'
    log[level]({ err: error, room: roomId }, 'recording reconciliation failed, will be retried')
  })
  await Promise.race([asking, delay(AWAITED_MAX_MS, undefined, { ref: false })])
}

/**
 * The recording that runs, when the provider has answered the one who is calling it at this moment: another
 * request, another replica, or the job. At most as long as an answer is waited for.
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
      // It may have been answered between the two looks.
      return findRunning(db, roomId)
    }
    await delay(POLL_MS)
  }
}
