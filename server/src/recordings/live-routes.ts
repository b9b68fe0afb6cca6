import { ErrorBody, success, Uuid } from '@interview-room/contract/envelope.ts'
import { RecordingControlBody, StartRecording } from '@interview-room/contract/live-recording.ts'
import { Type } from 'typebox'
import type { Deps } from '../deps.ts'
import type { App } from '../http/app-types.ts'
import { succeed } from '../http/present.ts'
import { requireHolder } from '../live/require-holder.ts'
import type { TicketHolder } from '../live/ticket.ts'
import {
  pauseByModerator,
  resumeByModerator,
  startByModerator,
  stopByModerator,
} from './control-recording.ts'
import { findShownRecording } from './find-shown-recording.ts'

const SCHEMA = {
  tags: ['Participant plane'],
  params: Type.Object({ room_id: Uuid }),
  response: { 200: success(RecordingControlBody), default: ErrorBody },
}

/** What a moderator does with the recording from inside the room. */
export async function recordingLiveRoutes(app: App, deps: Deps): Promise<void> {
  const { outputMode } = deps.config.recordings

  app.post(
    '/rooms/:room_id/live/recording/start',
    { schema: { ...SCHEMA, body: StartRecording } },
    async (request) => {
      const holder = await requireHolder(deps, request, 'canModerate')
      await startByModerator(deps, holder, request.body?.output_mode ?? outputMode)
      return answer(deps, holder)
    },
  )

  const changes = { pause: pauseByModerator, resume: resumeByModerator, stop: stopByModerator }
  for (const [name, change] of Object.entries(changes)) {
    app.post(`/rooms/:room_id/live/recording/${name}`, { schema: SCHEMA }, async (request) => {
      const holder = await requireHolder(deps, request, 'canModerate')
      await change(deps, holder)
      return answer(deps, holder)
    })
  }
}

async function answer({ db }: Pick<Deps, 'db'>, { roomId }: TicketHolder) {
  const body: RecordingControlBody = { recording: await findShownRecording(db, roomId) }
  return succeed(body)
}
