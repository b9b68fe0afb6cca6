import { HandoutPatch, HandoutRequest } from '@interview-room/contract/handouts.ts'
import * as handouts from '@interview-room/contract/operations/handouts.ts'
import { refuseFullStorage } from '../../domain/booking/quotas.ts'
import { patchHandout } from '../../domain/handouts/patch-handout.ts'
import { presentHandout } from '../../domain/handouts/present.ts'
import { readHandout, readHandoutSession } from '../../domain/handouts/read-handouts.ts'
import type { ReceivedForm } from '../../domain/handouts/receive-form.ts'
import { registerHandout } from '../../domain/handouts/register-handout.ts'
import { refuseContent } from '../../domain/handouts/watch-file.ts'
import { inTransaction } from '../../platform/db/db.ts'
import { refuseHalfRef } from '../../platform/lib/external-ref.ts'
import type { Deps } from '../../platform/ports/deps.ts'
import { readForms, receiving } from '../handout-form.ts'
import type { App } from '../http/app-types.ts'
import { route } from '../http/route.ts'
import { keyedRequestOf, sendOnce } from '../http/serve-once.ts'
import { serve } from '../http/serve.ts'
import { answerOnce } from '../idempotency/answer-once.ts'

/** The two operations that take a form with a file, in a scope that reads nothing but forms. */
export async function handoutFormRoutes(app: App, deps: Deps): Promise<void> {
  await readForms(app)

  // The answer is kept by what the form holds, which is known only when it has streamed in.
  route(app, handouts.registerHandout, async (call, reply) => {
    const { tenantId, tenantLimits, params } = call
    const key = { tenantId, sessionId: params.session_id }
    // Nobody sends a large file only to learn that there is no such session.
    await readHandoutSession(deps.db, key)
    return receiving(
      deps,
      { request: call, tenantId, schema: HandoutRequest },
      async (fields, form) => {
        refuseHalfRef(fields)
        const { upload } = form
        if (upload === undefined) throw new Error('the schema lets through a form without a file')
        if (upload.contentType !== fields.content_type) throw refuseContent('content_type')
        const request = keyedRequestOf(call, contentOf(form))
        const answered = await answerOnce(deps, request, async (tx) => {
          await refuseFullStorage(tx, { tenantId, tenantLimits })
          const { handout, session } = await registerHandout(tx, key, { fields, upload })
          return {
            status: 201,
            headers: { location: `/api/v1/handouts/${handout.id}` },
            data: await presentHandout(deps, handout, { ...session, isShown: false }),
          }
        })
        sendOnce(reply, answered)
        return reply
      },
    )
  })

  serve(app, handouts.patchHandout, async (call) => {
    const { tenantId, params } = call
    const key = { tenantId, handoutId: params.handout_id }
    await readHandout(deps.db, key)
    const reading = { request: call, tenantId, schema: HandoutPatch }
    return receiving(deps, reading, async (fields, { upload }) => {
      const { handout, session } = await inTransaction(deps.db, (tx) =>
        patchHandout(tx, key, { fields, upload }),
      )
      return { data: await presentHandout(deps, handout, { ...session, isShown: false }) }
    })
  })
}

/** The form's content as it goes into the fingerprint of an Idempotency-Key. */
function contentOf({ fields, upload }: ReceivedForm) {
  return { fields, file: upload && { name: upload.fileName, sha256: upload.sha256 } }
}
