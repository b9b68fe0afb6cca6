import type { RecordingDictionary } from './recording-ja.ts'

/** A moderator's controls of the recording, in English. */
export const recordingEn: RecordingDictionary = {
  open: 'Control the recording',
  title: 'Recording',
  none: 'Not recording',
  elapsed: (time) => `${time} recorded`,
  remaining: (time) => `${time} left`,
  start: 'Start recording',
  pause: 'Pause',
  resume: 'Resume',
  stop: 'End recording',
  key: 'R key: start, pause, resume',
  sending: 'Sending. The controls are off until it is done.',
  refused: {
    start: 'The recording could not be started. Please try again.',
    other: 'That could not be done. Please try again.',
  },
  confirm: {
    title: 'End the recording?',
    body: 'A recording that has ended cannot be resumed, and none begins again by itself.',
    confirm: 'End recording',
    cancel: 'Cancel',
  },
  alarm: {
    failed: 'The recording has stopped unexpectedly. Start it again under “Control the recording”.',
    notWritten: 'The recording is not being written yet. What happens now may be lost.',
    missing:
      'This room should be recorded, and no recording has begun. Start it under “Control the recording”.',
  },
}
