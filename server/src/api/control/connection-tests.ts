import * as tests from '@interview-room/contract/operations/connection-tests.ts'
import { undoRoom } from '../../domain/booking/create-room.ts'
import { presentConnectionTest } from '../../domain/connection-tests/present.ts'
import {
  listConnectionTests,
  readConnectionTest,
} from '../../domain/connection-tests/read-connection-tests.ts'
import {
  completeConnectionTest,
  startConnectionTest,
} from '../../domain/connection-tests/start-connection-test.ts'
import { refuseHalfRef } from '../../platform/lib/external-ref.ts'
import type { Deps } from '../../platform/ports/deps.ts'
import type { App } from '../http/app-types.ts'
import { serveOnceLeased } from '../http/serve-once.ts'
import { serve } from '../http/serve.ts'

/** Part B, "ConnectionTests". */
export async function connectionTestControlRoutes(app: App, deps: Deps): Promise<void> {
  const { db, config, clock, paging } = deps

  serve(app, tests.listConnectionTests, async ({ query, tenantId }) => {
    refuseHalfRef(query)
    const { external_type: externalType, external_id: externalId, status } = query
    const filters = { externalType, externalId, status }
    const scope = { list: 'connection-tests', tenantId, filters }
    const now = clock()
    const data = await paging.page(query, scope, {
      rows: ({ after, limit }) => {
        const position = after === undefined ? after : parsePosition(after)
        return listConnectionTests(db, { tenantId, ...filters, limit, after: position }, now)
      },
      positionOf: ({ createdAt, id }) => `${createdAt.toISOString()} ${id}`,
      present: (test) => presentConnectionTest(test, config),
    })
    return { data }
  })

  // The resource is its own result: it fills as the test proceeds.
  for (const operation of [tests.getConnectionTest, tests.getConnectionTestResult]) {
    serve(app, operation, async ({ params, tenantId }) => {
      const key = { tenantId, connectionTestId: params.connection_test_id }
      return { data: presentConnectionTest(await readConnectionTest(db, key, clock()), config) }
    })
  }

  serveOnceLeased({ app, deps }, tests.startConnectionTest, {
    prepare: async ({ body, tenantId }) =>
      startConnectionTest(deps, { tenantId, asked: body ?? {} }),
    handle: async (_call, tx, { prepared }) => {
      const test = await completeConnectionTest(tx, prepared, clock())
      if (test === undefined) throw new Error('a connection test was not stored')
      return {
        headers: { location: `/api/v1/connection-tests/${test.id}` },
        data: presentConnectionTest(test, config),
      }
    },
    undo: (provisioned) => undoRoom(deps, provisioned),
  })
}

/** Parses the position in a cursor that we signed. */
function parsePosition(text: string): { createdAt: Date; id: string } {
  const [createdAt = '', id = ''] = text.split(' ')
  return { createdAt: new Date(createdAt), id }
}
