import type { RecordingDictionary } from './recording-ja.ts'

/** A moderator's controls of the recording, in English. */
export const recordingEn: RecordingDictionary = {
  open: 'Recording controls',
  idle: 'Record',
  title: 'Recording',
  none: 'Not recording',
  elapsed: (time) => `${time} recorded`,
  remaining: (time) => `${time} left`,
  start: 'Start recording',
  pause: 'Pause',
  resume: 'Resume',
  stop: 'Stop recording',
  key: 'Press Shift + R to start, pause or resume',
  sending: 'Updating the recording…',
  refused: {
    start: 'Couldn’t start the recording. Try again.',
    consent: 'Couldn’t record, because somebody hasn’t agreed. Start when everyone has.',
    other: 'Couldn’t update the recording. Try again.',
  },
  confirm: {
    title: 'Stop the recording?',
    body: 'You can’t resume a stopped recording, and a new one doesn’t start automatically.',
    confirm: 'Stop recording',
    cancel: 'Cancel',
  },
  outcome: {
    waiting: 'The video will be made.',
    making: (percent) => `Making the video: ${percent}%.`,
    availableAt: (moment) => `Ready at about ${moment}.`,
    available: 'The recording is saved.',
    incomplete: (time) => `The recording is saved, but ${time} is missing.`,
  },
  alarm: {
    failed: 'Recording stopped unexpectedly. Start it again in “Recording controls”.',
    notWritten: 'The recording isn’t saving yet. What happens now may be lost.',
    interrupted:
      'The recorder failed, so what happens now isn’t recorded. Recording continues automatically as soon as it can.',
    paused:
      'Recording has been paused for more than five minutes. Resume it in “Recording controls”.',
    missing:
      'This room should be recorded, but recording hasn’t started. Start it in “Recording controls”.',
  },
  alarmInPanel: {
    failed: 'Recording stopped unexpectedly. Start it again.',
    paused: 'Recording has been paused for more than five minutes.',
    missing: 'This room should be recorded, but recording hasn’t started.',
  },
}
