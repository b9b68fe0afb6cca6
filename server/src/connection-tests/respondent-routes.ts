import { RespondentTest } from '@interview-room/contract/connection-tests.ts'
import { ErrorBody, success, Uuid } from '@interview-room/contract/envelope.ts'
import { Type } from 'typebox'
import type { Deps } from '../deps.ts'
import type { App } from '../http/app-types.ts'
import { succeed } from '../http/present.ts'
import { checkCaller } from '../live/check-caller.ts'
import { refuseRole } from '../live/require-holder.ts'
import { listRespondentTests, mayReadTests } from './last-test.ts'

/** What a moderator sees of the respondents before entering. */
export async function respondentTestRoutes(app: App, deps: Deps): Promise<void> {
  app.get(
    '/rooms/:room_id/live/respondent-tests',
    {
      schema: {
        tags: ['Participant plane'],
        params: Type.Object({ room_id: Uuid }),
        response: {
          200: success(Type.Object({ items: Type.Array(RespondentTest) })),
          default: ErrorBody,
        },
      },
      config: { credential: 'ticket or token' },
    },
    async (request) => {
      const { role } = await checkCaller(deps, request)
      if (!mayReadTests(role)) throw refuseRole('role')
      return succeed({ items: await listRespondentTests(deps.db, request.params.room_id) })
    },
  )
}
