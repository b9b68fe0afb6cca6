import { randomUUID } from 'node:crypto'
import type { Job } from '../../../platform/jobs/job.ts'
import type { Deps } from '../../../platform/ports/deps.ts'
import type { LiveEngine } from '../../../platform/ports/live-engine.ts'
import { LIVE_TEXT } from '../../people/live-text-request.ts'
import { listenToRoom } from './listen-to-room.ts'
import { leave, takeOver } from './live-text-store.ts'

const RETRY_MAX_SEC = 10
/** Pause before listening again, after the connection was lost. */
const AGAIN_MS = 1000

/**
 * Writes down what people in a room say, while live text is on and anybody is inside. The lease of the job is that of the listening:
 * one process listens to a room, and another one takes over when it is gone.
 */
export function liveTextJob(
  deps: Pick<Deps, 'db' | 'media' | 'clock' | 'metrics'>,
  engines: readonly LiveEngine[],
): Job {
  const { db } = deps
  return {
    kind: LIVE_TEXT,
    retryAfterSec: (failures) => Math.min(2 ** (failures - 1), RETRY_MAX_SEC),
    async run({ key: roomId, signal, log }) {
      if (engines.length === 0) return { outcome: 'done' }
      const listener = randomUUID()
      await takeOver(db, { roomId, listener })
      deps.metrics.liveTextRooms.inc()
      try {
        const isOver = await listenToRoom({ ...deps, log, engines }, { roomId, listener, signal })
        if (!isOver) return { outcome: 'again', at: new Date(deps.clock().getTime() + AGAIN_MS) }
      } finally {
        deps.metrics.liveTextRooms.dec()
      }
      await leave(db, { roomId, listener })
      return { outcome: 'done' }
    },
  }
}
