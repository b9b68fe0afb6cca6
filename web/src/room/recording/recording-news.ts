import type { ShownRecording } from '@interview-room/contract/live-stream.ts'

export type RecordingNews = 'started' | 'resumed' | 'paused' | 'stopped' | 'failed'

/** What to tell of a change; null when there is nothing new. */
export function newsOf(before: ShownRecording, after: ShownRecording): RecordingNews | null {
  if (after === null) return null
  const isSame = before?.id === after.id
  if (isSame && before.status === after.status) return null
  if (after.status === 'started')
    return isSame && before.status === 'paused' ? 'resumed' : 'started'
  if (after.status === 'paused') return 'paused'
  // One that had ended before this page knew of it is no news.
  return isSame && wasRunning(before) ? after.status : null
}

function wasRunning(recording: ShownRecording): boolean {
  return recording?.status === 'started' || recording?.status === 'paused'
}
