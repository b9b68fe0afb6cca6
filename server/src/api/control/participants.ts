import * as rooms from '@interview-room/contract/operations/rooms.ts'
import { findRoomKey } from '../../domain/booking/read-bookings.ts'
import { banParticipant, removeBanned } from '../../domain/people/ban-participant.ts'
import { presentBan, presentParticipant } from '../../domain/people/present-participant.ts'
import { listParticipants } from '../../domain/people/read-people.ts'
import { ServiceError } from '../../platform/lib/service-error.ts'
import type { Deps } from '../../platform/ports/deps.ts'
import type { App } from '../http/app-types.ts'
import type { Call } from '../http/route.ts'
import { serveOnce } from '../http/serve-once.ts'
import { serve } from '../http/serve.ts'

/** Part A, "Participants". */
export async function participantControlRoutes(
  app: App,
  deps: Pick<Deps, 'db' | 'urgentDb' | 'media' | 'clock' | 'config' | 'paging' | 'log'>,
): Promise<void> {
  const { db, paging } = deps

  serve(app, rooms.listParticipants, async ({ params, query, tenantId }) => {
    const roomId = params.room_id
    const room = await findRoomKey(db, { tenantId, roomId })
    if (room === undefined) throw new ServiceError('NOT_FOUND')
    const { role, status } = query
    const scope = { list: 'participants', tenantId, filters: { roomId, role, status } }
    const isBanned = status === undefined ? undefined : status === 'banned'
    const data = await paging.page(query, scope, {
      rows: (request) => listParticipants(db, { roomId, role, isBanned, ...request }),
      positionOf: (row) => String(row.seq),
      present: presentParticipant,
    })
    return { data }
  })

  serveOnce({ app, deps }, rooms.banParticipant, {
    handle: async (call, tx) => {
      const ban = banOf(call)
      await banParticipant(tx, ban, deps.clock)
      return { data: presentBan(ban) }
    },
    // The ban holds, however long the provider takes.
    afterwards: (call) => removeBanned(deps, banOf(call)),
  })
}

function banOf({ params, body, tenantId }: Call<typeof rooms.banParticipant>) {
  const { room_id: roomId, participant_id: participantId } = params
  return { tenantId, roomId, participantId, reason: body.reason }
}
