import type { Query } from '../../../platform/db/db.ts'
import { ServiceError } from '../../../platform/lib/service-error.ts'
import { readRecording } from '../recordings/read-recordings.ts'
import type { Viewer } from './viewer.ts'

/** Throws 404 NOT_FOUND for a recording or clip outside the scope of the viewer's token, as for an unknown one. */
export async function requireReviewed(
  query: Query,
  { tenantId, scope }: Viewer,
  { recordingId, clipId }: { recordingId: string; clipId: string | undefined },
): Promise<void> {
  if ('clipId' in scope) {
    if (scope.clipId === clipId) return
    throw new ServiceError('NOT_FOUND')
  }
  if ('recordingId' in scope && scope.recordingId !== recordingId)
    throw new ServiceError('NOT_FOUND')
  const { roomId } = await readRecording(query, { tenantId, recordingId })
  if ('roomId' in scope && scope.roomId !== roomId) throw new ServiceError('NOT_FOUND')
}

/** Throws 404 NOT_FOUND for a room that the viewer's token does not open, with all of its recordings or one of them. */
export async function requireReviewedRoom(
  query: Query,
  { tenantId, scope }: Viewer,
  roomId: string,
): Promise<void> {
  if ('clipId' in scope) throw new ServiceError('NOT_FOUND')
  const opened = 'roomId' in scope ? scope : await readRecording(query, { tenantId, ...scope })
  if (opened.roomId !== roomId.toLowerCase()) throw new ServiceError('NOT_FOUND')
}
