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
  summary: 'Start recording',
  description:
    'Starts a recording, whatever the `archive_mode` of the room. For moderators. If one is already running, it continues; a paused one resumes. 422 with CONSENT_REQUIRED lists the people who have not agreed to be recorded; ROOM_EMPTY means that no one is present, or, for `individual`, that no one sends audio or video yet.',
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
  makesSafe: true,
  tag: 'Participant plane',
  summary: 'Pause the recording',
  description:
    'Pauses the running recording. For moderators. What happens during the pause is not in the file. A repeat changes nothing.',
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
  summary: 'Resume the recording',
  description:
    'Continues a paused recording, in the same file. For moderators. Like a start, it is refused while someone has not agreed to be recorded.',
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
  makesSafe: true,
  tag: 'Participant plane',
  summary: 'Stop the recording',
  description:
    'Ends the recording permanently; the file becomes available later. For moderators. A room with `archive_mode` `always` is not recorded again until everyone has left and someone returns. A repeat changes nothing.',
  ability: 'canModerate',
  params: RoomParams,
  answers: { 200: RecordingControlBody },
  refusals: BY_ROLE,
  example: {
    answer: { recording: { ...UNTIL_THEN, status: 'stopped', is_end_wanted: true } },
  },
})
