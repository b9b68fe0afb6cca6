import * as live from '@interview-room/contract/operations/live-recording.ts'
import {
  pauseByModerator,
  resumeByModerator,
  startByModerator,
  stopByModerator,
} from '../../domain/recording/recordings/control-recording.ts'
import { findShownRecording } from '../../domain/recording/recordings/read-recordings.ts'
import type { Deps } from '../../platform/ports/deps.ts'
import type { App } from '../http/app-types.ts'
import { serve } from '../http/serve.ts'

/** A moderator's control of the recording from inside the room. */
export async function recordingLiveRoutes(app: App, deps: Deps): Promise<void> {
  const { outputMode } = deps.config.recordings

  serve(app, live.startRecording, async ({ body, holder }) => {
    await startByModerator(deps, holder, body?.output_mode ?? outputMode)
    return { data: { recording: await findShownRecording(deps.db, holder.roomId, deps.clock()) } }
  })

  const changes = [
    [live.pauseRecording, pauseByModerator],
    [live.resumeRecording, resumeByModerator],
    [live.stopRecording, stopByModerator],
  ] as const
  for (const [operation, change] of changes) {
    serve(app, operation, async ({ holder }) => {
      await change(deps, holder)
      return { data: { recording: await findShownRecording(deps.db, holder.roomId, deps.clock()) } }
    })
  }
}
