import type { Query } from '../../../platform/db/db.ts'
import { ServiceError } from '../../../platform/lib/service-error.ts'
import type { RecordingKey } from '../recordings/recording.ts'
import type { ProcessedRecording } from './processed-recording.ts'
import { findProcessed } from './store.ts'

/** The processed recording of a recording. Throws 404 NOT_FOUND. */
export async function readProcessed(query: Query, key: RecordingKey): Promise<ProcessedRecording> {
  const processed = await findProcessed(query, key)
  if (processed === undefined) throw new ServiceError('NOT_FOUND')
  return processed
}
