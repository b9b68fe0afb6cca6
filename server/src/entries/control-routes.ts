import { ErrorBody, oneOf, PageQuery, page, Uuid } from '@interview-room/contract/envelope.ts'
import { EntryHistoryBody } from '@interview-room/contract/participants.ts'
import { ROLES } from '@interview-room/contract/vocabulary.ts'
import { Type } from 'typebox'
import type { Deps } from '../deps.ts'
import type { App } from '../http/app-types.ts'
import { succeed } from '../http/present.ts'
import { ServiceError } from '../lib/service-error.ts'
import { findRoomKey } from '../rooms/find-room-key.ts'
import { presentEntryHistory } from './present.ts'
import { listEntries } from './store.ts'

/** Part A, "EntryHistory". */
export async function entryControlRoutes(
  app: App,
  { db, paging }: Pick<Deps, 'db' | 'paging'>,
): Promise<void> {
  app.get(
    '/rooms/:room_id/entry-histories',
    {
      schema: {
        tags: ['EntryHistory'],
        params: Type.Object({ room_id: Uuid }),
        querystring: Type.Object(
          { role: Type.Optional(oneOf(ROLES)), ...PageQuery },
          { additionalProperties: false },
        ),
        response: { 200: page(EntryHistoryBody), default: ErrorBody },
      },
    },
    async ({ params, query, tenantId }) => {
      const roomId = params.room_id
      const room = await findRoomKey(db, { tenantId, roomId })
      if (room === undefined) throw new ServiceError('NOT_FOUND')
      const scope = { list: 'entry-histories', tenantId, filters: { roomId, role: query.role } }
      return succeed(
        await paging.page(query, scope, {
          rows: (request) => listEntries(db, { roomId, role: query.role, ...request }),
          positionOf: (row) => String(row.seq),
          present: presentEntryHistory,
        }),
      )
    },
  )
}
