import { readLiveTranscript } from '@interview-room/contract/operations/live-text.ts'
import {
  presentTranscript,
  readTranscript,
} from '../../domain/recording/live-text/read-live-texts.ts'
import { createStreamCursors } from '../../domain/room-log/stream-cursor.ts'
import type { Deps } from '../../platform/ports/deps.ts'
import type { App } from '../http/app-types.ts'
import { serve } from '../http/serve.ts'

/** The texts of what people in a room said. */
export async function liveTextRoutes(app: App, { db, secretBox }: Deps): Promise<void> {
  const cursors = createStreamCursors(secretBox)

  serve(app, readLiveTranscript, async ({ query, holder }) => {
    const { roomId } = holder
    const after = cursors.open(roomId, query.after ?? '') ?? 0n
    const page = await readTranscript(db, holder, after)
    return { data: presentTranscript(page, (position) => cursors.seal(roomId, position)) }
  })
}
