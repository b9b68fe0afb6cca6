import type { HandoutBody } from '@interview-room/contract/handouts.ts'
import type { Deps } from '../../platform/ports/deps.ts'
import { fileUrlLifeSec, type Handout } from './handout.ts'

/**
 * Signs the address of the file, locally and without a request. It stays valid beyond the interview, so a page that fetched
 * it early can show the file until the end.
 */
export async function presentHandout(
  { storage, clock }: Pick<Deps, 'storage' | 'clock'>,
  handout: Handout,
  { endsAt }: { endsAt: Date },
): Promise<HandoutBody> {
  const { url } = await storage.signGet(handout.storageKey, {
    expiresInSec: fileUrlLifeSec(endsAt, clock()),
    fileName: handout.fileName,
    // Safe to show in place: only pictures and videos are accepted, and their type was read from the first bytes.
    disposition: 'inline',
    mime: handout.mime,
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
