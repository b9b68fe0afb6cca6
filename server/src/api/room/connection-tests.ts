import type { ClientFacts } from '@interview-room/contract/connection-tests.ts'
import * as tests from '@interview-room/contract/operations/connection-tests.ts'
import type { FastifyRequest } from 'fastify'
import { connectSubject } from '../../domain/connection-tests/connect-subject.ts'
import { finishConnectionTest } from '../../domain/connection-tests/finish-connection-test.ts'
import { connectUrlOf, presentForSubject } from '../../domain/connection-tests/present.ts'
import { readConnectionTest } from '../../domain/connection-tests/read-connection-tests.ts'
import { repeatConnectionTest } from '../../domain/connection-tests/repeat-connection-test.ts'
import { deviceOf } from '../../domain/people/device.ts'
import type { Deps } from '../../platform/ports/deps.ts'
import type { App } from '../http/app-types.ts'
import { serve } from '../http/serve.ts'

/** Routes that the page of a connection test calls, with the ticket from its address as Bearer. */
export async function connectionTestLiveRoutes(app: App, deps: Deps): Promise<void> {
  const { db, clock, config } = deps

  serve(app, tests.getConnectionTestForSubject, async ({ connectionTest }) => {
    const now = clock()
    return { data: presentForSubject(await readConnectionTest(db, connectionTest, now), now) }
  })

  serve(app, tests.reportSubjectConnected, async ({ connectionTest, headers, body }) => ({
    data: await connectSubject(deps, connectionTest, clientOf(headers, body?.client)),
  }))

  serve(app, tests.reportConnectionTestResult, async ({ connectionTest, body }) =>
    finishConnectionTest(deps, connectionTest, body),
  )

  serve(app, tests.repeatConnectionTest, async ({ connectionTest }) => {
    const repeat = await repeatConnectionTest(deps, connectionTest)
    return { data: { connect_url: connectUrlOf(repeat, config) } }
  })
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
