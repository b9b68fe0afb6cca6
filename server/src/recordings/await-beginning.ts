import { setTimeout as delay } from 'node:timers/promises'
import type { Deps } from '../deps.ts'
import { findRunning, type Running } from './running-store.ts'
import { isBeingAsked } from './segment-store.ts'
import { ANSWER_MAX_MS } from './start-segment.ts'

const POLL_MS = 50

/**
 * The recording that runs, when the provider has answered whoever asks it at this moment: another
 * request, another replica, or the job. At most as long as an answer is waited for.
 */
export async function awaitBeginning(
  { db, clock }: Pick<Deps, 'db' | 'clock'>,
  roomId: string,
): Promise<Running | undefined> {
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
