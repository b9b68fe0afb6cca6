import { ErrorBody, page, success, Uuid } from '@interview-room/contract/envelope.ts'
import { SessionBody } from '@interview-room/contract/rooms.ts'
import { SessionPatch, SessionQuery } from '@interview-room/contract/sessions.ts'
import { Type } from 'typebox'
import { type Deps, urgent } from '../deps.ts'
import type { App } from '../http/app-types.ts'
import { succeed } from '../http/present.ts'
import { ServiceError } from '../lib/service-error.ts'
import { cancelSession } from './cancel-session.ts'
import { patchSession } from './patch-session.ts'
import { presentSession } from './present.ts'
import { findSession, listSessions } from './store.ts'

const SessionParams = Type.Object({ session_id: Uuid })
const SessionAnswer = success(SessionBody)
const COMMON = { tags: ['Sessions'] }

/** Part A, "Sessions". */
export async function sessionControlRoutes(app: App, deps: Deps): Promise<void> {
  lookupRoute(app, deps)
  sessionRoutes(app, deps)
}

function lookupRoute(app: App, { db, config, clock, paging }: Deps): void {
  app.get(
    '/sessions',
    {
      schema: {
        ...COMMON,
        querystring: SessionQuery,
        response: { 200: page(SessionBody), default: ErrorBody },
      },
    },
    async ({ query, tenantId }) => {
      const { external_type: externalType, external_id: externalId } = query
      const now = clock()
      const scope = { list: 'sessions', tenantId, filters: { externalType, externalId } }
      return succeed(
        await paging.page(query, scope, {
          rows: (request) => listSessions(db, { tenantId, externalType, externalId, ...request }),
          positionOf: (session) => session.id,
          present: (session) => presentSession(session, { config, now }),
        }),
      )
    },
  )
}

function sessionRoutes(app: App, deps: Deps): void {
  const { db, config, clock } = deps

  app.get(
    '/sessions/:session_id',
    {
      schema: {
        ...COMMON,
        params: SessionParams,
        response: { 200: SessionAnswer, default: ErrorBody },
      },
    },
    async ({ params, tenantId }) => {
      const session = await findSession(db, { tenantId, sessionId: params.session_id })
      if (session === undefined) throw new ServiceError('NOT_FOUND')
      return succeed(presentSession(session, { config, now: clock() }))
    },
  )

  app.patch(
    '/sessions/:session_id',
    {
      schema: {
        ...COMMON,
        params: SessionParams,
        body: SessionPatch,
        response: { 200: SessionAnswer, default: ErrorBody },
      },
    },
    async ({ params, body, tenantId }) => {
      const session = await patchSession(deps, { tenantId, sessionId: params.session_id }, body)
      return succeed(presentSession(session, { config, now: clock() }))
    },
  )

  app.delete(
    '/sessions/:session_id',
    {
      schema: {
        ...COMMON,
        params: SessionParams,
        response: { 204: Type.Null(), default: ErrorBody },
      },
      config: { isUrgent: true },
    },
    async ({ params, tenantId }, reply) => {
      await cancelSession(urgent(deps), { tenantId, sessionId: params.session_id })
      return reply.code(204).send(null)
    },
  )
}
