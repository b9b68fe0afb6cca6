import { inTransaction } from '../../platform/db/db.ts'
import { enqueueAll } from '../../platform/jobs/enqueue.ts'
import type { Deps } from '../../platform/ports/deps.ts'
import { requireSandbox } from '../../platform/sandbox/simulation.ts'
import { ageSessions } from '../booking/age-sessions-store.ts'
import { ageConnectionTests } from '../connection-tests/age-connection-tests-store.ts'
import { ageRetention } from '../data-protection/age-retention.ts'
import { ageSegments } from '../recording/recordings/age-segments-store.ts'
import { reconcileRecordingRequest } from '../recording/recordings/recording-requests.ts'
import type { RoomKey } from '../room-log/room-lock.ts'

/** What was moved into the past. */
interface AdvancedClock {
  sessions: number
  connectionTests: number
}

/**
 * Moves what the tenant has under way into the past, as if so much time had passed: all processes decide
 * by one clock, and the tenant's times are behind it. Throws 404 NOT_FOUND for a real tenant.
 */
export async function advanceClock(
  { db }: Pick<Deps, 'db'>,
  moved: { tenantId: string; seconds: number },
): Promise<AdvancedClock> {
  await requireSandbox(db, moved.tenantId)
  return inTransaction(db, async (tx) => {
    const sessions = await ageSessions(tx, moved)
    const connectionTests = await ageConnectionTests(tx, moved)
    const roomIds = new Set(await ageSegments(tx, moved))
    await enqueueAll(
      tx,
      [...roomIds].map((roomId) => reconcileRecordingRequest(roomId)),
    )
    await ageRetention(tx, moved)
    return { sessions, connectionTests }
  })
}

/** Longer than a recorder is given to start. */
const START_TIMEOUT_SEC = 120

/** The recorder of a room has been starting for too long. */
export async function passStartTimeout(
  { db }: Pick<Deps, 'db'>,
  { tenantId, roomId }: RoomKey,
): Promise<void> {
  await inTransaction(db, async (tx) => {
    await ageSegments(tx, { tenantId, roomId, seconds: START_TIMEOUT_SEC })
    await enqueueAll(tx, [reconcileRecordingRequest(roomId)])
  })
}
