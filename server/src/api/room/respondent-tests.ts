import { listRespondentTests } from '@interview-room/contract/operations/live.ts'
import * as lastTest from '../../domain/connection-tests/last-test.ts'
import { refuseRole } from '../../domain/people/require-holder.ts'
import type { Deps } from '../../platform/ports/deps.ts'
import type { App } from '../http/app-types.ts'
import { serve } from '../http/serve.ts'

/** The respondents' connection tests, for a moderator before entering. */
export async function respondentTestRoutes(app: App, deps: Deps): Promise<void> {
  serve(app, listRespondentTests, async ({ params, caller }) => {
    if (!lastTest.mayReadTests(caller.role)) throw refuseRole('role', lastTest.mayReadTests)
    return { data: { items: await lastTest.listRespondentTests(deps.db, params.room_id) } }
  })
}
