import type { HandoutBody } from '@interview-room/contract/handouts.ts'
import type { Deps } from '../../platform/ports/deps.ts'
import { fileUrlLifeSec, type Handout } from './handout.ts'

/**
 * Signs the address of the file, which is done locally without a request. It outlives the interview:
 * somebody who fetched it before can show it until the end.
 */
export async function presentHandout(
  { storage, clock }: Pick<Deps, 'storage' | 'clock'>,
  handout: Handout,
  { endsAt }: { endsAt: Date },
): Promise<HandoutBody> {
  const { url } = await storage.signGet(handout.storageKey, {
    expiresInSec: fileUrlLifeSec(endsAt, clock()),
    fileName: handout.fileName,
    // Only pictures and videos are taken, and what they are was read from their first bytes.
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
