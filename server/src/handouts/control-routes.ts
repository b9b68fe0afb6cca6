import { ErrorBody, PageQuery, page, Uuid } from '@interview-room/contract/envelope.ts'
import { HandoutBody } from '@interview-room/contract/handouts.ts'
import { Type } from 'typebox'
import type { Deps } from '../deps.ts'
import type { App } from '../http/app-types.ts'
import { succeed } from '../http/present.ts'
import { ServiceError } from '../lib/service-error.ts'
import { handoutFormRoutes } from './form-routes.ts'
import { presentHandout } from './present.ts'
import { removeHandout } from './remove-handout.ts'
import { findHandoutSession, type HandoutPosition, listHandouts } from './store.ts'

const COMMON = { tags: ['Handouts'], security: [{ apiKey: [] }] }

/** Part B, "Handouts". */
export async function handoutControlRoutes(app: App, deps: Deps): Promise<void> {
  const { db, paging } = deps
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
      const scope = { list: 'handouts', tenantId, filters: { sessionId } }
      return succeed(
        await paging.page(query, scope, {
          async rows({ after, limit }) {
            const place = { after: after === undefined ? undefined : parsePosition(after), limit }
            const handouts = await listHandouts(db, sessionId, place)
            return Promise.all(
              handouts.map(async (handout) => ({
                position: `${handout.sort}:${handout.seq}`,
                body: await presentHandout(deps, handout, session),
              })),
            )
          },
          positionOf: ({ position }) => position,
          present: ({ body }) => body,
        }),
      )
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

/** Of a cursor that was signed by us. */
function parsePosition(text: string): HandoutPosition {
  const [sort, seq] = text.split(':')
  return { sort: Number(sort), seq: BigInt(seq ?? '0') }
}
