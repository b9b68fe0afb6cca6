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
/** Rooms that are looked at in one transaction. */
const BATCH = 200

type NoticeDeps = Pick<Deps, 'db' | 'clock'>

/** Brings its next run forward. */
export const GIVE_NOTICES = { kind: KIND, key: 'all' } as const

/**
 * Goes through the rooms of the tenants that have rules, and gives notice of what retention will delete. A run
 * that was aborted begins from the start: what has its notice keeps it. A room that fails holds up no other, and
 * has its turn in the next run.
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

/** Together where that goes well, and room by room where it does not. */
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
