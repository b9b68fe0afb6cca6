import {
  type ClientFacts,
  ConnectionTestConnected,
  ConnectionTestReport,
} from '@interview-room/contract/connection-tests.ts'
import { ErrorBody, Uuid } from '@interview-room/contract/envelope.ts'
import type { FastifyRequest } from 'fastify'
import { Type } from 'typebox'
import type { Deps } from '../deps.ts'
import type { App } from '../http/app-types.ts'
import { deviceOf } from '../participants/device.ts'
import { bearerOf } from '../service-keys/signed-tokens.ts'
import { connectSubject } from './connect-subject.ts'
import { finishConnectionTest } from './finish-connection-test.ts'
import { verifyTicket } from './verify-ticket.ts'

const COMMON = {
  tags: ['Participant plane'],
  params: Type.Object({ connection_test_id: Uuid }),
  response: { 204: Type.Null(), default: ErrorBody },
}

/** What the page of a connection test calls, with the ticket of its address as Bearer. */
export async function connectionTestLiveRoutes(app: App, deps: Deps): Promise<void> {
  app.post(
    '/connection-tests/:connection_test_id/live/connected',
    { schema: { ...COMMON, body: ConnectionTestConnected } },
    async ({ params, headers, body }, reply) => {
      const ticket = bearerOf(headers.authorization)
      const key = await verifyTicket(deps, params.connection_test_id, ticket)
      await connectSubject(deps, key, clientOf(headers, body?.client))
      return reply.code(204).send(null)
    },
  )

  app.post(
    '/connection-tests/:connection_test_id/live/result',
    { schema: { ...COMMON, body: ConnectionTestReport } },
    async ({ params, headers, body }, reply) => {
      const ticket = bearerOf(headers.authorization)
      const key = await verifyTicket(deps, params.connection_test_id, ticket)
      await finishConnectionTest(deps, key, body)
      return reply.code(204).send(null)
    },
  )
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
