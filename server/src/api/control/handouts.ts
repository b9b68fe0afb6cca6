import * as handouts from '@interview-room/contract/operations/handouts.ts'
import { pageOfHandouts } from '../../domain/handouts/page-of-handouts.ts'
import { readHandoutSession } from '../../domain/handouts/read-handouts.ts'
import { removeHandout } from '../../domain/handouts/remove-handout.ts'
import type { Deps } from '../../platform/ports/deps.ts'
import type { App } from '../http/app-types.ts'
import { serve } from '../http/serve.ts'
import { handoutFormRoutes } from './handout-forms.ts'

/** Part B, "Handouts". */
export async function handoutControlRoutes(app: App, deps: Deps): Promise<void> {
  await app.register(async (forms: App) => handoutFormRoutes(forms, deps))

  serve(app, handouts.listHandouts, async ({ params, query, tenantId }) => {
    const sessionId = params.session_id
    const { endsAt } = await readHandoutSession(deps.db, { tenantId, sessionId })
    const session = { id: sessionId, endsAt }
    return { data: await pageOfHandouts(deps, query, tenantId, { ...session, isShown: false }) }
  })

  serve(app, handouts.deleteHandout, async ({ params, tenantId }) => {
    await removeHandout(deps, { tenantId, handoutId: params.handout_id })
  })
}
