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
import { type Clip, recordingIdsOf } from './clip.ts'
import { type ClipId, findClip } from './store.ts'

/**
 * Issues a signed address of the file of a clip or a reel, and writes a row into the access log for each recording that it
 * shows. Throws 404 NOT_FOUND, 409 CLIP_NOT_AVAILABLE, also for a file to save without the watermark of the viewer.
 */
export async function issueClipDownloadUrl(
  { db, storage, clock }: Pick<Deps, 'db' | 'storage' | 'clock'>,
  id: ClipId,
  request: AddressRequest,
): Promise<SignedUrl> {
  const clip = refuseUnlessAvailable(await findClip(db, id))
  const watermark = request.accessor.viewer?.watermark ?? null
  if (request.purpose !== 'playback' && watermark !== null && watermark !== clip.watermark) {
    throw new ServiceError('CLIP_NOT_AVAILABLE', { note: 'it does not have the watermark' })
  }
  const issuedAt = clock()
  const signed = await storage.signGet(clip.storageKey, {
    expiresInSec: lifeSecOf(request, issuedAt),
    fileName: `${id.isReel === true ? 'reel' : 'clip'}-${id.clipId}.mp4`,
    disposition: dispositionOf(request),
    mime: 'video/mp4',
  })
  await inTransaction(db, async (tx) => {
    // Log before returning the address, and check again: the clip may have been deleted meanwhile.
    refuseUnlessAvailable(await findClip(tx, id, 'share'))
    const { expiresAt } = signed
    const made = id.isReel === true ? { reelId: id.clipId } : { clipId: id.clipId }
    const access = { ...made, ...request, tenantId: clip.tenantId, issuedAt, expiresAt }
    await logDownloads(
      tx,
      recordingIdsOf(clip).map((recordingId) => ({ ...access, recordingId })),
    )
  })
  return signed
}

function refuseUnlessAvailable(clip: Clip | undefined): Extract<Clip, { status: 'available' }> {
  if (clip === undefined) throw new ServiceError('NOT_FOUND')
  if (clip.status === 'available') return clip
  throw new ServiceError('CLIP_NOT_AVAILABLE')
}
