import { ErrorBody, success, Uuid } from '@interview-room/contract/envelope.ts'
import { SessionBody } from '@interview-room/contract/rooms.ts'
import { Type } from 'typebox'
import type { Deps } from '../deps.ts'
import type { App } from '../http/app-types.ts'
import { succeed } from '../http/present.ts'
import { ServiceError } from '../lib/service-error.ts'
import { presentSession } from './present.ts'
import { findSession } from './store.ts'

/** Part A, "Sessions". */
export async function sessionControlRoutes(
  app: App,
  { db, config, clock }: Pick<Deps, 'db' | 'config' | 'clock'>,
): Promise<void> {
  app.get(
    '/sessions/:session_id',
    {
      schema: {
        tags: ['Sessions'],
        security: [{ apiKey: [] }],
        params: Type.Object({ session_id: Uuid }),
        response: { 200: success(SessionBody), default: ErrorBody },
      },
    },
    async ({ params, tenantId }) => {
      const session = await findSession(db, { tenantId, sessionId: params.session_id })
      if (session === undefined) throw new ServiceError('NOT_FOUND')
      return succeed(presentSession(session, { config, now: clock() }))
    },
  )
}
