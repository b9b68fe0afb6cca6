import type { PlaygroundRecordingsDictionary } from './playground-recordings-ja.ts'

/** Recordings in the playground, in English. */
export const playgroundRecordingsEn: PlaygroundRecordingsDictionary = {
  title: 'Recordings',
  empty: 'No recordings yet. They appear here when someone joins a recorded room.',
  startedAt: (time) => `Started ${time}`,
  length: (time) => `${time} long`,
  status: {
    started: 'Recording',
    paused: 'Paused',
    stopped: 'Processing',
    uploaded: 'Checking the file',
    available: 'Available',
    expired: 'Expired',
    failed: 'Failed',
  },
  failedBecause: (reason) => `Not recorded: ${reason}`,
  reasons: {
    start_timeout: 'it didn’t start within 90 seconds',
    provider_failed: 'the media provider failed',
    provider_aborted: 'the media provider stopped it',
    storage_missing: 'the file isn’t in storage',
    upload_failed: 'the upload failed',
    internal: 'internal error',
    unknown: 'unknown reason',
  },
  watch: 'Watch and review',
  downloadZip: 'Download the ZIP',
  refused: 'Something went wrong. Try again.',
  remove: 'Delete this recording',
  removeTitle: 'Delete this recording?',
  removeBody:
    'This deletes the video, its trimmed version, its clips and its transcripts. You can’t undo this.',
  removeConfirm: 'Delete',
  removing: 'Deleting…',
  cancel: 'Keep it',
  book: {
    notSetUp: (engine) => `${engine} (not configured)`,
    mode: 'Recording',
    modes: { always: 'Always', manual: 'By the moderator' },
    resolution: 'Recording resolution',
    language: 'Transcript language',
    engine: 'Transcription engine',
  },
}
