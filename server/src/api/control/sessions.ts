import * as sessions from '@interview-room/contract/operations/sessions.ts'
import { patchSession } from '../../domain/booking/patch-session.ts'
import { presentSession } from '../../domain/booking/present-session.ts'
import { listSessions, readSession } from '../../domain/booking/read-bookings.ts'
import { cancelSession } from '../../domain/room-end/cancel-session.ts'
import { type Deps, urgent } from '../../platform/ports/deps.ts'
import type { App } from '../http/app-types.ts'
import { serve } from '../http/serve.ts'

/** Part A, "Sessions". */
export async function sessionControlRoutes(app: App, deps: Deps): Promise<void> {
  const { db, config, clock, paging } = deps

  serve(app, sessions.listSessions, async ({ query, tenantId }) => {
    const { external_type: externalType, external_id: externalId } = query
    const now = clock()
    const scope = { list: 'sessions', tenantId, filters: { externalType, externalId } }
    const data = await paging.page(query, scope, {
      rows: (request) => listSessions(db, { tenantId, externalType, externalId, ...request }),
      positionOf: (session) => session.id,
      present: (session) => presentSession(session, { config, now }),
    })
    return { data }
  })

  serve(app, sessions.getSession, async ({ params, tenantId }) => {
    const session = await readSession(db, { tenantId, sessionId: params.session_id })
    return { data: presentSession(session, { config, now: clock() }) }
  })

  serve(app, sessions.patchSession, async ({ params, body, tenantId }) => {
    const session = await patchSession(deps, { tenantId, sessionId: params.session_id }, body)
    return { data: presentSession(session, { config, now: clock() }) }
  })

  serve(app, sessions.cancelSession, async ({ params, tenantId }) => {
    await cancelSession(urgent(deps), { tenantId, sessionId: params.session_id })
  })
}
