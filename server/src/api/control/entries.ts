import { listEntryHistories } from '@interview-room/contract/operations/rooms.ts'
import { findRoomKey } from '../../domain/booking/read-bookings.ts'
import { presentEntryHistory } from '../../domain/people/present-entry.ts'
import { listEntries } from '../../domain/people/read-people.ts'
import { ServiceError } from '../../platform/lib/service-error.ts'
import type { Deps } from '../../platform/ports/deps.ts'
import type { App } from '../http/app-types.ts'
import { serve } from '../http/serve.ts'

/** Part A, "EntryHistory". */
export async function entryControlRoutes(
  app: App,
  { db, paging }: Pick<Deps, 'db' | 'paging'>,
): Promise<void> {
  serve(app, listEntryHistories, async ({ params, query, tenantId }) => {
    const roomId = params.room_id
    const room = await findRoomKey(db, { tenantId, roomId })
    if (room === undefined) throw new ServiceError('NOT_FOUND')
    const scope = { list: 'entry-histories', tenantId, filters: { roomId, role: query.role } }
    const data = await paging.page(query, scope, {
      rows: (request) => listEntries(db, { roomId, role: query.role, ...request }),
      positionOf: (row) => String(row.seq),
      present: presentEntryHistory,
    })
    return { data }
  })
}
