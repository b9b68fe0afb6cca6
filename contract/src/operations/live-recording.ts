import { RecordingControlBody, StartRecording } from '../live-recording.ts'
import { operation } from './operation.ts'
import { RoomParams } from './params.ts'
import { BY_ROLE } from './refusals.ts'

const RUNNING = {
  id: '019a3083-9b1e-7c44-8f0a-5e2d7c6b1a90',
  status: 'started',
  started_at: '2030-11-21T01:00:04.212Z',
  recorded_sec: 0,
  running_since: '2030-11-21T01:00:05.031Z',
  is_end_wanted: false,
} as const
const UNTIL_THEN = { ...RUNNING, recorded_sec: 612.4, running_since: null }

export const startRecording = operation({
  id: 'startRecording',
  method: 'POST',
  path: '/rooms/{room_id}/live/recording/start',
  plane: 'room',
  tag: 'Participant plane',
  summary: 'Begin to record',
  description:
    'By a moderator, whatever the `archive_mode`. One that runs already goes on. `individual` gives a file for each moderator and panelist; without a body everybody is in one picture, unless the service is set otherwise. 422 with CONSENT_REQUIRED names everybody inside who has not agreed to be recorded; ROOM_EMPTY says that nobody is there.',
  ability: 'canModerate',
  params: RoomParams,
  body: StartRecording,
  answers: { 200: RecordingControlBody },
  refusals: [...BY_ROLE, 'RTC_PROVISION_FAILED'],
  example: {
    request: { output_mode: 'composed' },
    answer: { recording: { ...RUNNING, running_since: null } },
  },
})

export const pauseRecording = operation({
  id: 'pauseRecording',
  method: 'POST',
  path: '/rooms/{room_id}/live/recording/pause',
  plane: 'room',
  tag: 'Participant plane',
  summary: 'Pause the recording',
  description: 'By a moderator. What is said meanwhile is not in the file.',
  ability: 'canModerate',
  params: RoomParams,
  answers: { 200: RecordingControlBody },
  refusals: [...BY_ROLE, 'RECORDING_NOT_AVAILABLE'],
  example: {
    answer: { recording: { ...UNTIL_THEN, status: 'paused' } },
  },
})

export const resumeRecording = operation({
  id: 'resumeRecording',
  method: 'POST',
  path: '/rooms/{room_id}/live/recording/resume',
  plane: 'room',
  tag: 'Participant plane',
  summary: 'Go on recording after a pause',
  description: 'By a moderator. Refused like a start while somebody has not agreed.',
  ability: 'canModerate',
  params: RoomParams,
  answers: { 200: RecordingControlBody },
  refusals: [...BY_ROLE, 'RECORDING_NOT_AVAILABLE', 'RTC_PROVISION_FAILED'],
  example: {
    answer: { recording: UNTIL_THEN },
  },
})

export const stopRecording = operation({
  id: 'stopRecording',
  method: 'POST',
  path: '/rooms/{room_id}/live/recording/stop',
  plane: 'room',
  tag: 'Participant plane',
  summary: 'End the recording for good',
  description:
    'By a moderator. A Room with `archive_mode` `always` is not recorded again by itself until everybody has left and somebody came back.',
  ability: 'canModerate',
  params: RoomParams,
  answers: { 200: RecordingControlBody },
  refusals: BY_ROLE,
  example: {
    answer: { recording: { ...UNTIL_THEN, status: 'stopped', is_end_wanted: true } },
  },
})
