import { inTransaction } from '../../../platform/db/db.ts'
import { ServiceError } from '../../../platform/lib/service-error.ts'
import type { Deps } from '../../../platform/ports/deps.ts'
import type { SignedUrl } from '../../../platform/ports/storage.ts'
import {
  type AddressRequest,
  dispositionOf,
  lifeSecOf,
  logDownloads,
} from '../recordings/issue-download-url.ts'
import type { Clip } from './clip.ts'
import { type ClipId, findClip } from './store.ts'

/**
 * Issues a signed address of a clip's file and writes a row into the access log. Throws 404
 * NOT_FOUND, 409 CLIP_NOT_AVAILABLE.
 */
export async function issueClipDownloadUrl(
  { db, storage, clock }: Pick<Deps, 'db' | 'storage' | 'clock'>,
  id: ClipId,
  request: AddressRequest,
): Promise<SignedUrl> {
  const { storageKey, tenantId, recordingId } = refuseUnlessAvailable(await findClip(db, id))
  const issuedAt = clock()
  const signed = await storage.signGet(storageKey, {
    expiresInSec: lifeSecOf(request, issuedAt),
    fileName: `clip-${id.clipId}.mp4`,
    disposition: dispositionOf(request),
    mime: 'video/mp4',
  })
  await inTransaction(db, async (tx) => {
    // Log before returning the address, and check again: the clip may have been deleted meanwhile.
    refuseUnlessAvailable(await findClip(tx, id, 'share'))
    const { expiresAt } = signed
    const made = { tenantId, recordingId, clipId: id.clipId }
    await logDownloads(tx, [{ ...made, ...request, issuedAt, expiresAt }])
  })
  return signed
}

function refuseUnlessAvailable(clip: Clip | undefined): Extract<Clip, { status: 'available' }> {
  if (clip === undefined) throw new ServiceError('NOT_FOUND')
  if (clip.status === 'available') return clip
  throw new ServiceError('CLIP_NOT_AVAILABLE')
}
