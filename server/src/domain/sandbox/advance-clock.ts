import { inTransaction } from '../../platform/db/db.ts'
import { enqueueAll } from '../../platform/jobs/enqueue.ts'
import type { Deps } from '../../platform/ports/deps.ts'
import { requireSandbox } from '../../platform/sandbox/simulation.ts'
import { ageSessions } from '../booking/age-sessions-store.ts'
import { ageConnectionTests } from '../connection-tests/age-connection-tests-store.ts'
import { ageRetention } from '../data-protection/age-retention.ts'
import { ageSegments } from '../recording/recordings/age-segments-store.ts'
import { followRecordingRequest } from '../recording/recordings/recording-requests.ts'
import type { RoomKey } from '../room-log/room-lock.ts'

/** Number of sessions and connection tests whose times were moved. */
interface AdvancedClock {
  sessions: number
  connectionTests: number
}

/**
 * Moves the times of the tenant's running sessions and tests into the past, as if that much time had passed. The processes
 * share one clock, so a tenant cannot have a clock of its own. Throws 404 NOT_FOUND for a real tenant.
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
      [...roomIds].map((roomId) => followRecordingRequest(roomId)),
    )
    await ageRetention(tx, moved)
    return { sessions, connectionTests }
  })
}

/** Longer than the start timeout of a recorder. */
const START_TIMEOUT_SEC = 120

/** Moves the start of the room's recorder so far back that it counts as timed out. */
export async function passStartTimeout(
  { db }: Pick<Deps, 'db'>,
  { tenantId, roomId }: RoomKey,
): Promise<void> {
  await inTransaction(db, async (tx) => {
    await ageSegments(tx, { tenantId, roomId, seconds: START_TIMEOUT_SEC })
    await enqueueAll(tx, [followRecordingRequest(roomId)])
  })
}
