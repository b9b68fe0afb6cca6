import * as reviews from '@interview-room/contract/operations/reviews.ts'
import { addComment, listComments } from '../../domain/recording/reviews/comments.ts'
import { presentComment } from '../../domain/recording/reviews/present.ts'
import type { Deps } from '../../platform/ports/deps.ts'
import type { App } from '../http/app-types.ts'
import { serveOnce } from '../http/serve-once.ts'
import { serve } from '../http/serve.ts'

/** Viewers' comments on a recording. */
export async function commentRoutes(app: App, deps: Deps): Promise<void> {
  const { db, paging } = deps

  serve(app, reviews.listComments, async ({ params, query, tenantId }) => {
    const recordingId = params.recording_id
    const scope = { list: 'comments', tenantId, filters: { recordingId } }
    const data = await paging.page(query, scope, {
      rows: (request) => listComments(db, { recordingId, ...request }),
      positionOf: ({ seq }) => String(seq),
      present: presentComment,
    })
    return { data }
  })

  serveOnce({ app, deps }, reviews.createComment, {
    handle: async ({ params, body, viewer }, tx) => {
      const comment = await addComment(tx, { viewer, recordingId: params.recording_id }, body)
      return { data: presentComment(comment) }
    },
  })
}
