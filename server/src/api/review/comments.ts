import * as reviews from '@interview-room/contract/operations/reviews.ts'
import { readRecording } from '../../domain/recording/recordings/read-recordings.ts'
import {
  addComment,
  editComment,
  listComments,
  removeComment,
} from '../../domain/recording/reviews/comments.ts'
import { presentComment } from '../../domain/recording/reviews/present.ts'
import { readReview } from '../../domain/recording/reviews/read-review.ts'
import { inTransaction } from '../../platform/db/db.ts'
import type { Deps } from '../../platform/ports/deps.ts'
import type { App } from '../http/app-types.ts'
import { serveOnce } from '../http/serve-once.ts'
import { serve } from '../http/serve.ts'

/** Comments as the tenant's backend reads and deletes them; viewers do the same with their token. */
export async function commentControlRoutes(app: App, { db, paging }: Deps): Promise<void> {
  serve(app, reviews.listComments, async ({ params, query, tenantId }) => {
    const recordingId = params.recording_id
    await readRecording(db, { tenantId, recordingId })
    const scope = { list: 'comments', tenantId, filters: { recordingId } }
    const data = await paging.page(query, scope, {
      rows: (request) => listComments(db, { recordingId, ...request }),
      positionOf: ({ seq }) => String(seq),
      present: presentComment,
    })
    return { data }
  })

  serve(app, reviews.deleteComment, async ({ params, tenantId, viewer }) => {
    const { recording_id: recordingId, comment_id: commentId } = params
    await inTransaction(db, (tx) => removeComment(tx, { tenantId, recordingId, commentId, viewer }))
  })
}

/** The content of a viewer token, and comments that a viewer writes. */
export async function commentRoutes(app: App, deps: Deps): Promise<void> {
  serve(app, reviews.getReview, async ({ viewer }) => ({ data: await readReview(deps, viewer) }))
  serveOnce({ app, deps }, reviews.createComment, {
    handle: async ({ params, body, viewer }, tx) => {
      const comment = await addComment(tx, { viewer, recordingId: params.recording_id }, body)
      return { data: presentComment(comment) }
    },
  })
  serve(app, reviews.updateComment, async ({ params, body, viewer }) => {
    const { recording_id: recordingId, comment_id: commentId } = params
    const id = { viewer, recordingId, commentId }
    const changed = await inTransaction(deps.db, (tx) => editComment(tx, id, body))
    return { data: presentComment(changed) }
  })
}
