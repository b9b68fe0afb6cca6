import type { JobRequest } from '../../platform/jobs/job.ts'

export { hasLiveEngine, noteLiveEngines } from './live-engine-store.ts'

/** The kind of the job that listens to a room with live text. */
export const LIVE_TEXT = 'live-text'

export function liveTextRequest(roomId: string): JobRequest {
  return { kind: LIVE_TEXT, key: roomId }
}
