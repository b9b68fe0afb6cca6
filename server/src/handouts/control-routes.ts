import { ErrorBody, PageQuery, page, Uuid } from '@interview-room/contract/envelope.ts'
import { HandoutBody } from '@interview-room/contract/handouts.ts'
import { Type } from 'typebox'
import type { Deps } from '../deps.ts'
import type { App } from '../http/app-types.ts'
import { succeed } from '../http/present.ts'
import { ServiceError } from '../lib/service-error.ts'
import { handoutFormRoutes } from './form-routes.ts'
import { listPage } from './list-page.ts'
import { removeHandout } from './remove-handout.ts'
import { findHandoutSession } from './store.ts'

const COMMON = { tags: ['Handouts'] }

/** Part B, "Handouts". */
export async function handoutControlRoutes(app: App, deps: Deps): Promise<void> {
  const { db } = deps
  await app.register(async (forms: App) => handoutFormRoutes(forms, deps))

  app.get(
    '/sessions/:session_id/handouts',
    {
      schema: {
        ...COMMON,
        params: Type.Object({ session_id: Uuid }),
        querystring: Type.Object({ ...PageQuery }, { additionalProperties: false }),
        response: { 200: page(HandoutBody), default: ErrorBody },
      },
    },
    async ({ params, query, tenantId }) => {
      const sessionId = params.session_id
      const session = await findHandoutSession(db, { tenantId, sessionId })
      if (session === undefined) throw new ServiceError('NOT_FOUND')
      const { endsAt } = session
      return succeed(await listPage(deps, { query, tenantId, session: { id: sessionId, endsAt } }))
    },
  )

  app.delete(
    '/handouts/:handout_id',
    {
      schema: {
        ...COMMON,
        params: Type.Object({ handout_id: Uuid }),
        response: { 204: Type.Null(), default: ErrorBody },
      },
    },
    async ({ params, tenantId }, reply) => {
      await removeHandout(deps, { tenantId, handoutId: params.handout_id })
      return reply.code(204).send(null)
    },
  )
}
