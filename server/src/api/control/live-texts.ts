import { PAGE_LIMIT_DEFAULT } from '@interview-room/contract/limits.ts'
import {
  getRecordingLiveTranscript,
  listLiveTexts,
} from '@interview-room/contract/operations/live-text.ts'
import { findRoomKey } from '../../domain/booking/read-bookings.ts'
import { readLiveLines } from '../../domain/recording/live-text/read-live-lines.ts'
import { presentTranscript, readTexts } from '../../domain/recording/live-text/read-live-texts.ts'
import { createStreamCursors } from '../../domain/room-log/stream-cursor.ts'
import { refuseField, ServiceError } from '../../platform/lib/service-error.ts'
import type { Deps } from '../../platform/ports/deps.ts'
import type { App } from '../http/app-types.ts'
import { serve } from '../http/serve.ts'

/** The texts of a room for its tenant, and those in a recording also for viewers who may `watch`. */
export async function liveTextControlRoutes(app: App, deps: Deps): Promise<void> {
  const { db, secretBox } = deps
  const cursors = createStreamCursors(secretBox)

  serve(app, getRecordingLiveTranscript, async (call) => {
    const key = { tenantId: call.tenantId, recordingId: call.params.recording_id }
    return { data: await readLiveLines(deps, key, call) }
  })

  serve(app, listLiveTexts, async ({ params, query, tenantId }) => {
    const roomId = params.room_id
    const room = await findRoomKey(db, { tenantId, roomId })
    if (room === undefined) throw new ServiceError('NOT_FOUND')
    const after = query.after === undefined ? 0n : cursors.open(roomId, query.after)
    if (after === undefined) {
      throw refuseField('INVALID_REQUEST', {
        field: 'after',
        code: 'INVALID_FORMAT',
        message: 'must be a cursor of this list, unchanged',
      })
    }
    const { limit = PAGE_LIMIT_DEFAULT } = query
    const page = await readTexts(db, { roomId, after, onlyObservable: false, limit })
    return { data: presentTranscript(page, (position) => cursors.seal(roomId, position)) }
  })
}
