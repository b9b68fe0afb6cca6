import { type Static, Type } from 'typebox'
import { OutputMode } from './enums.ts'
import { about, named, nullable } from './envelope.ts'
import { ShownRecording } from './live-stream.ts'

/** Optional body of `POST .../live/recording/start`. Without it the service's default output is used. */
export const StartRecording = nullable(
  named(
    'StartRecording',
    Type.Object(
      {
        output_mode: Type.Optional(
          about(
            OutputMode,
            'What the recording contains. By default what the operator has set, usually `composed`.',
          ),
        ),
      },
      { additionalProperties: false, description: 'How to record.' },
    ),
  ),
)
export type StartRecording = Static<typeof StartRecording>

/** The state of the recording after a moderator's request. */
export const RecordingControlBody = named(
  'RecordingControl',
  Type.Object({ recording: ShownRecording }, { description: 'The recording after the request.' }),
)
export type RecordingControlBody = Static<typeof RecordingControlBody>
