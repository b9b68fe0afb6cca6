import {
  ConnectionTestBody,
  ConnectionTestQuery,
  NewConnectionTest,
} from '@interview-room/contract/connection-tests.ts'
import { ErrorBody, page, success, Uuid } from '@interview-room/contract/envelope.ts'
import { Type } from 'typebox'
import type { Deps } from '../deps.ts'
import type { App } from '../http/app-types.ts'
import { sendOnceLeased } from '../http/once.ts'
import { succeed } from '../http/present.ts'
import { refuseHalfRef } from '../lib/external-ref.ts'
import { ServiceError } from '../lib/service-error.ts'
import { presentConnectionTest } from './present.ts'
import { startConnectionTest } from './start-connection-test.ts'
import { findConnectionTest, listConnectionTests } from './store.ts'

const COMMON = { tags: ['ConnectionTests'] }
const ConnectionTestAnswer = success(ConnectionTestBody)

/** Part B, "ConnectionTests". */
export async function connectionTestControlRoutes(app: App, deps: Deps): Promise<void> {
  const { config } = deps
  listRoute(app, deps)
  resourceRoutes(app, deps)

  app.post(
    '/connection-tests',
    {
      schema: {
        ...COMMON,
        body: NewConnectionTest,
        response: { 201: ConnectionTestAnswer, default: ErrorBody },
      },
    },
    async (request, reply) => {
      const { tenantId, body } = request
      return sendOnceLeased(deps, { request, reply }, (keep) =>
        startConnectionTest(deps, { tenantId, asked: body ?? {} }, (tx, test) =>
          keep(tx, {
            status: 201,
            headers: { location: `/api/v1/connection-tests/${test.id}` },
            data: presentConnectionTest(test, config),
          }),
        ),
      )
    },
  )
}

function listRoute(app: App, { db, config, clock, paging }: Deps): void {
  app.get(
    '/connection-tests',
    {
      schema: {
        ...COMMON,
        querystring: ConnectionTestQuery,
        response: { 200: page(ConnectionTestBody), default: ErrorBody },
      },
    },
    async ({ query, tenantId }) => {
      refuseHalfRef(query)
      const { external_type: externalType, external_id: externalId, status } = query
      const filters = { externalType, externalId, status }
      const now = clock()
      return succeed(
        await paging.page(
          query,
          { list: 'connection-tests', tenantId, filters },
          {
            rows: ({ after, limit }) =>
              listConnectionTests(
                db,
                {
                  tenantId,
                  ...filters,
                  limit,
                  after: after === undefined ? after : parsePosition(after),
                },
                now,
              ),
            positionOf: ({ createdAt, id }) => `${createdAt.toISOString()} ${id}`,
            present: (test) => presentConnectionTest(test, config),
          },
        ),
      )
    },
  )
}

function resourceRoutes(app: App, { db, config, clock }: Deps): void {
  // The resource is its own result: it fills as the test goes on.
  for (const path of ['', '/result']) {
    app.get(
      `/connection-tests/:connection_test_id${path}`,
      {
        schema: {
          ...COMMON,
          params: Type.Object({ connection_test_id: Uuid }),
          response: { 200: ConnectionTestAnswer, default: ErrorBody },
        },
      },
      async ({ params, tenantId }) => {
        const key = { tenantId, connectionTestId: params.connection_test_id }
        const test = await findConnectionTest(db, key, clock())
        if (test === undefined) throw new ServiceError('NOT_FOUND')
        return succeed(presentConnectionTest(test, config))
      },
    )
  }
}

/** Of a cursor that was signed by us. */
function parsePosition(text: string): { createdAt: Date; id: string } {
  const [createdAt = '', id = ''] = text.split(' ')
  return { createdAt: new Date(createdAt), id }
}
