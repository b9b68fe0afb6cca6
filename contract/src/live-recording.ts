import { type Static, Type } from 'typebox'
import { nullable, oneOf } from './envelope.ts'
import { ShownRecording } from './live-stream.ts'
import { OUTPUT_MODES } from './vocabulary.ts'

/** Optional body of `POST .../live/recording/start`; without it the service's own output. */
export const StartRecording = nullable(
  Type.Object({ output_mode: Type.Optional(oneOf(OUTPUT_MODES)) }, { additionalProperties: false }),
)
export type StartRecording = Static<typeof StartRecording>

/** How it stands after a moderator's word. */
export const RecordingControlBody = Type.Object({ recording: ShownRecording })
export type RecordingControlBody = Static<typeof RecordingControlBody>
