import { describe, expect, test } from 'vitest'
import { appendRoomEvent } from '../../domain/room-log/append-room-event.ts'
import { nextRoomMoment } from '../../domain/room-log/room-clock.ts'
import { queueForRoom } from '../../domain/room-log/room-lock.ts'
import { identifier, inTransaction, openDb, type Tx } from '../../platform/db/db.ts'
import { useControlPlane } from '../../testing/control-plane.ts'
import { TEST_TIMEOUTS } from '../../testing/database.ts'
import { IS_FULL_RUN } from '../../testing/scope.ts'

const ROWS_BEFORE = IS_FULL_RUN ? 100_000 : 2_000
const WRITERS = 8
const ROWS_EACH = IS_FULL_RUN ? 125 : 25
const TEST_TIMEOUT_MS = 180_000

const plane = useControlPlane()

interface Log {
  table: 'room_events' | 'entry_histories'
  /** Many rows together, as they exist after a long time. */
  fill: (tx: Tx, roomId: string) => Promise<unknown>
  /** One more, as the service writes it. */
  append: (tx: Tx, roomId: string, name: string) => Promise<unknown>
}

const LOGS: Record<string, Log> = {
  'room-events': {
    table: 'room_events',
    fill: (tx, roomId) => tx`
      insert into room_events (tenant_id, room_id, seq, event_type, created_at)
      select ${plane.tenant.tenantId}, ${roomId}, n, 'marker', now()
        from generate_series(1, ${ROWS_BEFORE}::int) n
    `,
    append: async (tx, roomId, name) =>
      appendRoomEvent(tx, {
        ...(await queueForRoom(tx, roomId, 'shared')),
        tenantId: plane.tenant.tenantId,
        eventType: 'marker',
        payload: { name },
      }),
  },
  'entry-histories': {
    table: 'entry_histories',
    fill: (tx, roomId) => tx`
      insert into entry_histories (tenant_id, room_id, seq, media_identity, media_sid, name, role,
                                   entered_at)
      select ${plane.tenant.tenantId}, ${roomId}, n, 'someone', 'PA_' || n, 'P', 'panelist', now()
        from generate_series(1, ${ROWS_BEFORE}::int) n
    `,
    append: async (tx, roomId, name) => {
      const { seq, at } = await nextRoomMoment(tx, await queueForRoom(tx, roomId, 'shared'))
      await tx`
        insert into entry_histories (tenant_id, room_id, seq, media_identity, media_sid, name, role,
                                     entered_at)
        values (${plane.tenant.tenantId}, ${roomId}, ${String(seq)}, 'someone', ${name}, 'P',
                'panelist', ${at})
      `
    },
  },
}

async function fill(log: Log): Promise<string> {
  const { id } = await plane.book()
  await inTransaction(plane.database.db, async (tx) => {
    await log.fill(tx, id)
    await tx`update room_clocks set seq = ${ROWS_BEFORE} where room_id = ${id}`
  })
  return id
}

/** Writers that commit as slowly and unevenly as they like. */
async function write(log: Log, roomId: string): Promise<void> {
  const db = openDb({
    url: plane.database.url,
    poolSize: WRITERS,
    applicationName: 'writers',
    ...TEST_TIMEOUTS,
  })
  const writers = Array.from({ length: WRITERS }, async (_none, writer) => {
    for (let at = 0; at < ROWS_EACH; at += 1) {
      await inTransaction(db, async (tx) => {
        await log.append(tx, roomId, `PB_${writer}_${at}`)
        await tx`select pg_sleep(random() * 0.01)`
      })
    }
  })
  await Promise.all(writers)
  await db.end()
}

describe('a walk under eight writers', { timeout: TEST_TIMEOUT_MS }, () => {
  // contract: Pagination › Stable order of creation: a walk misses and repeats nothing under
  //   concurrent writers
  test.each(Object.keys(LOGS))(
    `through ${ROWS_BEFORE} rows of %s misses none and repeats none`,
    async (name) => {
      const log = LOGS[name]!
      const roomId = await fill(log)
      let isWriting = true
      const writing = write(log, roomId).finally(() => {
        isWriting = false
      })

      const seen: number[] = []
      let query = 'limit=100'
      for (;;) {
        // Read before the page, which then has everything written before.
        const isLast = !isWriting
        const { data } = await plane.tenant.get(`/rooms/${roomId}/${name}?${query}`)
        if (data.has_more || isLast) seen.push(...data.items.map((item: { id: number }) => item.id))
        if (data.has_more) query = `limit=100&cursor=${data.next_cursor}`
        else if (isLast) break
      }
      await writing

      const written = await plane.database.db<{ id: string }[]>`
        select id from ${identifier(log.table)} where room_id = ${roomId} order by seq
      `
      expect(written).toHaveLength(ROWS_BEFORE + WRITERS * ROWS_EACH)
      expect(seen).toEqual(written.map(({ id }) => Number(id)))
    },
  )
})
