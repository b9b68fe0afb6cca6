import { BY_ROLE } from './live-moderation.ts'
import type { Operations } from './operation.ts'

const RUNNING = {
  id: '019a3083-9b1e-7c44-8f0a-5e2d7c6b1a90',
  status: 'started',
  started_at: '2030-11-21T01:00:04.212Z',
  recorded_sec: 0,
  running_since: '2030-11-21T01:00:05.031Z',
  is_end_wanted: false,
} as const
const UNTIL_THEN = { ...RUNNING, recorded_sec: 612.4, running_since: null }

/** What a moderator does with the recording from inside the room. */
export const LIVE_RECORDING_OPERATIONS: Operations = {
  'POST /rooms/{room_id}/live/recording/start': {
    id: 'startRecording',
    summary: 'Begin to record',
    description:
      'By a moderator, whatever the `archive_mode`. One that runs already goes on. `individual` gives a file for each moderator and panelist; without a body everybody is in one picture, unless the service is set otherwise. 422 with CONSENT_REQUIRED names everybody inside who has not agreed to be recorded; ROOM_EMPTY says that nobody is there.',
    refusals: [...BY_ROLE, 'RTC_PROVISION_FAILED'],
    request: { output_mode: 'composed' },
    answer: { recording: { ...RUNNING, running_since: null } },
  },
  'POST /rooms/{room_id}/live/recording/pause': {
    id: 'pauseRecording',
    summary: 'Pause the recording',
    description: 'By a moderator. What is said meanwhile is not in the file.',
    refusals: [...BY_ROLE, 'RECORDING_NOT_AVAILABLE'],
    answer: { recording: { ...UNTIL_THEN, status: 'paused' } },
  },
  'POST /rooms/{room_id}/live/recording/resume': {
    id: 'resumeRecording',
    summary: 'Go on recording after a pause',
    description: 'By a moderator. Refused like a start while somebody has not agreed.',
    refusals: [...BY_ROLE, 'RECORDING_NOT_AVAILABLE', 'RTC_PROVISION_FAILED'],
    answer: { recording: UNTIL_THEN },
  },
  'POST /rooms/{room_id}/live/recording/stop': {
    id: 'stopRecording',
    summary: 'End the recording for good',
    description:
      'By a moderator. A Room with `archive_mode` `always` is not recorded again by itself until everybody has left and somebody came back.',
    refusals: BY_ROLE,
    answer: { recording: { ...UNTIL_THEN, status: 'stopped', is_end_wanted: true } },
  },
}
