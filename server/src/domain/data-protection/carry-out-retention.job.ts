import { inTransaction, type Tx } from '../../platform/db/db.ts'
import { dueItemsJob } from '../../platform/jobs/due-items-job.ts'
import type { RepeatingJob } from '../../platform/jobs/repeating-job.ts'
import type { Deps } from '../../platform/ports/deps.ts'
import { lockHolds } from '../booking/lock-holds.ts'
import { lockRoom } from '../booking/lock-room.ts'
import { purgeMessages } from '../chat/purge-messages.ts'
import { removeHandoutsOf } from '../handouts/remove-handout.ts'
import { expireRecordingsOfRoom } from '../recording/delete-recording.ts'
import type { LockedRoomKey } from '../room-log/room-lock.ts'
import { listDueNotices, type Notice, shareRules, takeDueNotice } from './retention-store.ts'
import { dueAt } from './retention.ts'
import { findHoldOfRoom } from './subject-store.ts'

const KIND = 'carry-out-retention'
const EVERY_SEC = 60 * 60
/** The requester in the room's log, in place of an API key. */
const REQUESTER = 'retention'

type CarryOutDeps = Pick<Deps, 'db' | 'clock'>

/** Brings the job's next run forward. */
export const CARRY_OUT = { kind: KIND, key: 'all' } as const

/** Deletes the records whose notice is due, each room in a transaction of its own. */
export function carryOutRetentionJob(deps: CarryOutDeps): RepeatingJob {
  const { db, clock } = deps
  return dueItemsJob({
    kind: KIND,
    everySec: EVERY_SEC,
    db,
    clock,
    list: (limit) => listDueNotices(db, { retriedBy: KIND, now: clock(), limit }),
    keyOf: ({ roomId, kind }) => `${roomId} ${kind}`,
    carryOut: (notice) => carryOut(deps, notice),
  })
}

/**
 * Deletes the records with their notice. If the rule or the room changed so that it is too early now, only the notice is
 * deleted, and another one follows in time.
 */
async function carryOut({ db, clock }: CarryOutDeps, notice: Notice): Promise<void> {
  const { tenantId, roomId, kind } = notice
  await inTransaction(db, async (tx) => {
    const now = clock()
    await lockHolds(tx, tenantId, 'shared')
    if ((await findHoldOfRoom(tx, roomId)) !== undefined) return
    const [rule] = await shareRules(tx, { tenantId, kind })
    const locked = await lockRoom(tx, { tenantId, roomId })
    const taken = await takeDueNotice(tx, notice, now)
    if (taken === undefined || !taken.hasRecords || rule === undefined) return
    if (taken.endedAt === null || dueAt(rule, taken.endedAt) > now) return
    await DELETE[kind](tx, locked, now)
  })
}

const DELETE = {
  recordings: expireRecordingsOfRoom,
  chat: (tx: Tx, { tenantId, roomId }: LockedRoomKey) =>
    purgeMessages(tx, { tenantId, roomId, visibility: undefined, requester: REQUESTER }),
  handouts: removeHandoutsOf,
}
