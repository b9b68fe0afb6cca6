import { inTransaction, type Tx } from '../../platform/db/db.ts'
import { enqueueAll } from '../../platform/jobs/enqueue.ts'
import type { Deps } from '../../platform/ports/deps.ts'
import { ageSimulation, requireSandbox } from '../../platform/sandbox/simulation.ts'
import { ageSessions } from '../booking/age-sessions-store.ts'
import { ageMessages } from '../chat/age-messages-store.ts'
import { ageConnectionTests } from '../connection-tests/age-connection-tests-store.ts'
import { ageDeletions } from '../data-protection/age-deletions.ts'
import { ageEntries, listOccupiedRooms } from '../people/age-entries-store.ts'
import { ageDeadlines, ageSegments } from '../recording/recordings/age-segments-store.ts'
import { followRecordingRequest } from '../recording/recordings/recording-requests.ts'
import { ageRoomLog } from '../room-log/age-room-log-store.ts'
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
    await ageRooms(tx, moved)
    await ageDeletions(tx, moved)
    return { sessions, connectionTests }
  })
}

/**
 * Moves what happened in occupied rooms, or in the one room, into the past, and lets the recordings follow. In a room that
 * is empty or over, nothing happens in that time.
 */
async function ageRooms(
  tx: Tx,
  moved: { tenantId: string; roomId?: string; seconds: number },
): Promise<void> {
  const { seconds } = moved
  const roomIds = await listOccupiedRooms(tx, moved)
  await ageEntries(tx, { roomIds, seconds })
  await ageRoomLog(tx, { roomIds, seconds })
  await ageMessages(tx, { roomIds, seconds })
  await ageSegments(tx, { roomIds, seconds })
  await ageSimulation(tx, { mediaRooms: roomIds, seconds })
  const waiting = new Set(await ageDeadlines(tx, moved))
  await enqueueAll(
    tx,
    [...waiting].map((roomId) => followRecordingRequest(roomId)),
  )
}

/** Lets the room's recording last so much longer than it did. */
export async function recordFor(
  { db }: Pick<Deps, 'db'>,
  { tenantId, roomId }: RoomKey,
  seconds: number,
): Promise<void> {
  await inTransaction(db, (tx) => ageRooms(tx, { tenantId, roomId, seconds }))
}

/** Longer than the start timeout of a recorder. */
const START_TIMEOUT_SEC = 120

/** Moves the start of the room's recorder so far back that it counts as timed out. */
export async function passStartTimeout(
  { db }: Pick<Deps, 'db'>,
  { tenantId, roomId }: RoomKey,
): Promise<void> {
  await inTransaction(db, (tx) => ageRooms(tx, { tenantId, roomId, seconds: START_TIMEOUT_SEC }))
}
