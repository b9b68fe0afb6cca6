import type { Query } from '../../../platform/db/db.ts'
import { ServiceError } from '../../../platform/lib/service-error.ts'
import type { RecordingKey } from '../recordings/recording.ts'
import type { Clip } from './clip.ts'
import { type ClipId, findClip, findRecordingOf } from './store.ts'

export { listClips } from './store.ts'

/** Throws 404 NOT_FOUND. */
export async function readClip(query: Query, id: ClipId): Promise<Clip> {
  const clip = await findClip(query, id)
  if (clip === undefined) throw new ServiceError('NOT_FOUND')
  return clip
}

/** The recording of an existing or deleted clip. Throws 404 NOT_FOUND. */
export async function readRecordingOfClip(query: Query, id: ClipId): Promise<RecordingKey> {
  const key = await findRecordingOf(query, id)
  if (key === undefined) throw new ServiceError('NOT_FOUND')
  return key
}
