import type { Logger } from 'pino'
import { inTransaction } from '../../platform/db/db.ts'
import { type RepeatingJob, repeatingJob } from '../../platform/jobs/repeating-job.ts'
import { eachAlone } from '../../platform/lib/each-alone.ts'
import type { Deps } from '../../platform/ports/deps.ts'
import { recordFeedEvent } from '../../platform/webhooks/record-event.ts'
import {
  insertNotice,
  listRoomIds,
  listRoomsWithoutNotice,
  listTenantsWithRules,
  shareRules,
} from './retention-store.ts'
import { deleteAt, noticedUntil } from './retention.ts'

const KIND = 'give-retention-notices'
const EVERY_SEC = 60 * 60
/** Rooms that are checked in one transaction. */
const BATCH = 200

type NoticeDeps = Pick<Deps, 'db' | 'clock'>

/** Brings the job's next run forward. */
export const GIVE_NOTICES = { kind: KIND, key: 'all' } as const

/**
 * Gives notice of the records that retention will delete, for the rooms of all tenants with rules. An aborted run starts
 * over, and existing notices stay. A failing room does not delay the others, and is tried again in the next run.
 */
export function giveRetentionNoticesJob(deps: NoticeDeps): RepeatingJob {
  return repeatingJob({
    kind: KIND,
    everySec: EVERY_SEC,
    clock: deps.clock,
    async run({ signal, log }) {
      for (const tenantId of await listTenantsWithRules(deps.db)) {
        let after: string | undefined
        do {
          signal.throwIfAborted()
          const roomIds = await listRoomIds(deps.db, { tenantId, after, limit: BATCH })
          if (roomIds.length > 0) await giveNoticesAlone(deps, { tenantId, roomIds }, log)
          after = roomIds.length === BATCH ? roomIds.at(-1) : undefined
        } while (after !== undefined)
      }
      return 'done'
    },
  })
}

interface Rooms {
  tenantId: string
  roomIds: readonly string[]
}

/** Gives the notices together, or room by room if that fails. */
async function giveNoticesAlone(deps: NoticeDeps, rooms: Rooms, log: Logger): Promise<void> {
  const { tenantId, roomIds } = rooms
  if ((await eachAlone([rooms], (all) => giveNotices(deps, all))).length === 0) return
  const failed = await eachAlone(roomIds, (roomId) =>
    giveNotices(deps, { tenantId, roomIds: [roomId] }),
  )
  for (const { item, error } of failed) {
    log.error({ err: error, room: item }, 'giving notice of retention failed')
  }
}

async function giveNotices({ db, clock }: NoticeDeps, { tenantId, roomIds }: Rooms): Promise<void> {
  await inTransaction(db, async (tx) => {
    const now = clock()
    for (const rule of await shareRules(tx, { tenantId })) {
      const { kind, days } = rule
      const until = noticedUntil(rule, now)
      const ended = await listRoomsWithoutNotice(tx, { roomIds, kind, until })
      for (const { roomId, endedAt } of ended) {
        const goesAt = deleteAt(rule, { endedAt, now })
        const notice = { roomId, kind, tenantId, at: now, deleteAt: goesAt }
        if (!(await insertNotice(tx, notice))) continue
        await recordFeedEvent(tx, {
          tenantId,
          type: 'retention.notice',
          streamKey: `retention:${roomId}`,
          dedupeKey: `retention:${roomId}:${kind}:${now.toISOString()}`,
          occurredAt: now,
          data: { kind, room_id: roomId, delete_at: goesAt.toISOString(), days },
        })
      }
    }
  })
}
