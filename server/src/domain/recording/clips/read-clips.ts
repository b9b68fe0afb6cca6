import type { Query } from '../../../platform/db/db.ts'
import { ServiceError } from '../../../platform/lib/service-error.ts'
import type { Clip, Reel } from './clip.ts'
import { type ClipId, findClip, findRecordingOf } from './store.ts'

export { listClips, listReels } from './store.ts'

/** Throws 404 NOT_FOUND. */
export async function readClip(query: Query, id: ClipId): Promise<Clip> {
  const clip = await findClip(query, id)
  if (clip === undefined) throw new ServiceError('NOT_FOUND')
  return clip
}

/** Throws 404 NOT_FOUND. */
export async function readReel(query: Query, id: ClipId): Promise<Reel> {
  return (await readClip(query, { ...id, isReel: true })) as Reel
}

/** The recordings of an existing or deleted clip or reel. Throws 404 NOT_FOUND. */
export async function readRecordingsOfClip(query: Query, id: ClipId): Promise<string[]> {
  const key = await findRecordingOf(query, id)
  if (key === undefined) throw new ServiceError('NOT_FOUND')
  return key.recordingIds
}
