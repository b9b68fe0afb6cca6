import * as live from '@interview-room/contract/operations/live-people.ts'
import { rateInterview } from '../../domain/people/rate-interview.ts'
import { inTransaction } from '../../platform/db/db.ts'
import type { Deps } from '../../platform/ports/deps.ts'
import type { App } from '../http/app-types.ts'
import { serve } from '../http/serve.ts'

/** How panelists rate the interview; the room may be closed by then. */
export async function ratingLiveRoutes(app: App, { db }: Deps): Promise<void> {
  serve(app, live.rateInterview, async ({ holder, body }) => {
    const { rating, isNew } = await inTransaction(db, (tx) => rateInterview(tx, holder, body))
    return { status: isNew ? 201 : 200, data: rating }
  })
}
