import {
  type ClientFacts,
  ConnectionTestConnected,
  ConnectionTestMediaBody,
  ConnectionTestPageBody,
  ConnectionTestRepeatBody,
  ConnectionTestReport,
} from '@interview-room/contract/connection-tests.ts'
import { ErrorBody, success, Uuid } from '@interview-room/contract/envelope.ts'
import type { FastifyRequest } from 'fastify'
import { Type } from 'typebox'
import type { Deps } from '../deps.ts'
import type { App } from '../http/app-types.ts'
import { succeed } from '../http/present.ts'
import { ServiceError } from '../lib/service-error.ts'
import { deviceOf } from '../participants/device.ts'
import { bearerOf } from '../service-keys/signed-tokens.ts'
import { connectSubject } from './connect-subject.ts'
import { finishConnectionTest } from './finish-connection-test.ts'
import { connectUrlOf, presentForSubject } from './present.ts'
import { repeatConnectionTest } from './repeat-connection-test.ts'
import { findConnectionTest } from './store.ts'
import { type TestOfTicket, verifyTicket } from './verify-ticket.ts'

const COMMON = {
  tags: ['Participant plane'],
  params: Type.Object({ connection_test_id: Uuid }),
}

/** What the page of a connection test calls, with the ticket of its address as Bearer. */
export async function connectionTestLiveRoutes(app: App, deps: Deps): Promise<void> {
  await app.register(async (tests: App) => {
    tests.decorateRequest('connectionTest', null)
    tests.addHook('onRequest', async (request) => {
      const { connection_test_id: id } = request.params as { connection_test_id: string }
      const presented = bearerOf(request.headers.authorization)
      request.connectionTest = await verifyTicket(deps, id, presented)
    })
    pageRoutes(tests, deps)
    endRoutes(tests, deps)
  })
}

function pageRoutes(app: App, deps: Deps): void {
  app.get(
    '/connection-tests/:connection_test_id/live',
    {
      schema: { ...COMMON, response: { 200: success(ConnectionTestPageBody), default: ErrorBody } },
    },
    async (request) => {
      const key = testOf(request)
      const now = deps.clock()
      const test = await findConnectionTest(deps.db, key, now)
      if (test === undefined) throw new ServiceError('NOT_FOUND')
      return succeed(presentForSubject(test, now))
    },
  )

  app.post(
    '/connection-tests/:connection_test_id/live/connected',
    {
      schema: {
        ...COMMON,
        body: ConnectionTestConnected,
        response: { 200: success(ConnectionTestMediaBody), default: ErrorBody },
      },
    },
    async (request) => {
      const key = testOf(request)
      return succeed(
        await connectSubject(deps, key, clientOf(request.headers, request.body?.client)),
      )
    },
  )
}

/** The end of a test, and its repeat. */
function endRoutes(app: App, deps: Deps): void {
  app.post(
    '/connection-tests/:connection_test_id/live/result',
    {
      schema: {
        ...COMMON,
        body: ConnectionTestReport,
        response: { 204: Type.Null(), default: ErrorBody },
      },
    },
    async (request, reply) => {
      const key = testOf(request)
      await finishConnectionTest(deps, key, request.body)
      return reply.code(204).send(null)
    },
  )

  app.post(
    '/connection-tests/:connection_test_id/live/repeat',
    {
      schema: {
        ...COMMON,
        response: { 201: success(ConnectionTestRepeatBody), default: ErrorBody },
      },
    },
    async (request, reply) => {
      const key = testOf(request)
      const repeat = await repeatConnectionTest(deps, key)
      void reply.code(201)
      return succeed({ connect_url: connectUrlOf(repeat, deps.config) })
    },
  )
}

declare module 'fastify' {
  interface FastifyRequest {
    /** The test whose ticket the request carries; null elsewhere. */
    connectionTest: TestOfTicket | null
  }
}

function testOf({ connectionTest }: Pick<FastifyRequest, 'connectionTest'>): TestOfTicket {
  if (connectionTest !== null) return connectionTest
  throw new Error('a route of a connection test came without its hook')
}

/** From the User-Agent header, completed by what the page itself could find out. */
function clientOf(
  { 'user-agent': userAgent }: FastifyRequest['headers'],
  reported: Partial<ClientFacts> = {},
): ClientFacts {
  const device = deviceOf(userAgent)
  return {
    browser_name: reported.browser_name ?? device.browserName,
    browser_version: reported.browser_version ?? device.browserVersion,
    platform_name: reported.platform_name ?? device.platformName,
    platform_version: reported.platform_version ?? device.platformVersion,
    is_mobile: reported.is_mobile ?? (userAgent === undefined ? null : /Mobi/.test(userAgent)),
  }
}
