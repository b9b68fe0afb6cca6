import type { HandoutBody } from '@interview-room/contract/handouts.ts'
import type { Deps } from '../../platform/ports/deps.ts'
import { fileUrlLifeSec, type Handout, shownFileOf } from './handout.ts'

/**
 * Signs the address of the file, locally and without a request: of the one that pages show, or of the tenant's own. It stays valid beyond the interview, so a page that fetched
 * it early can show the file until the end.
 */
export async function presentHandout(
  { storage, clock }: Pick<Deps, 'storage' | 'clock'>,
  handout: Handout,
  { endsAt, isShown }: { endsAt: Date; isShown: boolean },
): Promise<HandoutBody> {
  const { storageKey, ...file } = isShown ? shownFileOf(handout) : handout
  const { url } = await storage.signGet(storageKey, {
    expiresInSec: fileUrlLifeSec(endsAt, clock()),
    fileName: file.fileName,
    // Safe to show in place: only pictures and videos are accepted, and only if they can be decoded.
    disposition: 'inline',
    mime: file.mime,
  })
  return {
    id: handout.id,
    session_id: handout.sessionId,
    external_type: handout.externalType,
    external_id: handout.externalId,
    file_name: handout.fileName,
    title: handout.title,
    file_url: url,
    content_type: handout.contentType,
    sort: handout.sort,
    created_at: handout.createdAt.toISOString(),
  }
}
