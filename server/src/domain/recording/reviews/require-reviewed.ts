import type { Query } from '../../../platform/db/db.ts'
import { ServiceError } from '../../../platform/lib/service-error.ts'
import { readRecording } from '../recordings/read-recordings.ts'
import type { Viewer } from './viewer.ts'

/** Throws 404 NOT_FOUND for a recording outside the scope of the viewer's token, as for an unknown one. */
export async function requireReviewed(
  query: Query,
  { tenantId, scope }: Viewer,
  recordingId: string,
): Promise<void> {
  if ('recordingId' in scope && scope.recordingId !== recordingId)
    throw new ServiceError('NOT_FOUND')
  const { roomId } = await readRecording(query, { tenantId, recordingId })
  if ('roomId' in scope && scope.roomId !== roomId) throw new ServiceError('NOT_FOUND')
}
