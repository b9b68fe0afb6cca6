import type { Query } from '../../../platform/db/db.ts'
import { ServiceError } from '../../../platform/lib/service-error.ts'
import { findTranscription, type TranscriptionKey } from './store.ts'
import type { Transcription } from './transcription.ts'

export { placeOf, searchLines } from './search-store.ts'
export { findNewestDone, hasRecording, listTranscriptions } from './store.ts'

/** Throws 404 NOT_FOUND. */
export async function readTranscription(
  query: Query,
  key: TranscriptionKey,
): Promise<Transcription> {
  const transcription = await findTranscription(query, key)
  if (transcription === undefined) throw new ServiceError('NOT_FOUND')
  return transcription
}
