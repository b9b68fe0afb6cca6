import type { Deps } from '../deps.ts'
import type { Job, JobRequest } from '../jobs/job.ts'

const KIND = 'close-media-room'

export function closeMediaRoomRequest(roomId: string): JobRequest {
  return { kind: KIND, key: roomId, payload: { roomId } }
}

/** Puts everybody out of a closed (or undone) room, again and again until the provider agrees. */
export function closeMediaRoomJob(_deps: Pick<Deps, 'db' | 'media' | 'clock'>): Job {
  return {
    kind: KIND,
    run: async () => {
      throw new Error('not written yet')
    },
  }
}
