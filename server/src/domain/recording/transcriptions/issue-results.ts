import { RESULT_URL_LIFE_SEC } from '@interview-room/contract/limits.ts'
import type { TranscriptionWordsBody } from '@interview-room/contract/transcripts.ts'
import { inTransaction } from '../../../platform/db/db.ts'
import { refuseField, ServiceError } from '../../../platform/lib/service-error.ts'
import type { Deps } from '../../../platform/ports/deps.ts'
import type { SignedUrl } from '../../../platform/ports/storage.ts'
import type { Accessor } from '../recordings/access-log-store.ts'
import { lifeSecOf, logDownloads } from '../recordings/issue-download-url.ts'
import type { RecordingKey } from '../recordings/recording.ts'
import { findRevision } from './revision-store.ts'
import { hasRecording } from './store.ts'
import type { Transcription } from './transcription.ts'
import { readWords } from './words-file.ts'

/**
 * Signs the addresses of the finished results among these transcriptions, by their ids. Every read signs new ones and
 * writes a row into the access log for each. Throws 404 NOT_FOUND when the recording was deleted meanwhile.
 */
export async function issueResults(
  deps: Pick<Deps, 'db' | 'storage' | 'clock'>,
  { accessor, ...key }: RecordingKey & { accessor: Accessor },
  transcriptions: readonly Transcription[],
): Promise<ReadonlyMap<string, string>> {
  const issuedAt = deps.clock()
  const addresses = new Map<string, SignedUrl>()
  for (const transcription of transcriptions) {
    const signed = await signResult(deps, transcription, accessor)
    if (signed !== undefined) addresses.set(transcription.id, signed)
  }
  if (addresses.size > 0) await logAddresses(deps, { ...key, accessor, issuedAt }, addresses)
  return new Map(Array.from(addresses, ([id, { url }]) => [id, url]))
}

/** Returns undefined unless the transcription is done. */
async function signResult(
  { storage, clock }: Pick<Deps, 'storage' | 'clock'>,
  transcription: Transcription,
  accessor: Accessor,
): Promise<SignedUrl | undefined> {
  if (transcription.status !== 'done') return undefined
  return storage.signGet(transcription.resultKey, {
    expiresInSec: lifeSecOf({ accessor, expiresInSec: RESULT_URL_LIFE_SEC }, clock()),
    fileName: `transcription-${transcription.id}.vtt`,
    disposition: 'attachment',
    mime: 'text/vtt; charset=utf-8',
  })
}

/**
 * Reads the words of a revision, the newest by default, and notes it in the access log. Throws 404 NOT_FOUND for one that
 * is not there.
 */
export async function readTranscriptWords(
  deps: Pick<Deps, 'db' | 'storage' | 'clock'>,
  transcription: Transcription,
  { accessor, revision }: { accessor: Accessor; revision: number | undefined },
): Promise<TranscriptionWordsBody> {
  const found = await findRevision(deps.db, { transcriptionId: transcription.id, revision })
  if (found === undefined) {
    throw refuseField('NOT_FOUND', {
      field: 'revision',
      code: 'NOT_ALLOWED',
      message: 'is not there: the transcription is not done, or has no such revision',
    })
  }
  const words = await readWords(deps, found.wordsKey)
  await logRead(deps, transcription, accessor)
  return {
    transcription_id: transcription.id,
    revision: found.revision,
    created_at: found.createdAt.toISOString(),
    words,
  }
}

/** Notes in the access log that a transcript was read in an answer. Throws 404 NOT_FOUND if it was deleted meanwhile. */
export async function logRead(
  deps: Pick<Deps, 'db' | 'clock'>,
  { id, tenantId, recordingId }: Transcription,
  accessor: Accessor,
): Promise<void> {
  const access = { tenantId, recordingId, accessor, issuedAt: deps.clock() }
  await logAddresses(deps, access, new Map([[id, { expiresAt: access.issuedAt }]]))
}

/** `addresses`: by the transcription's id. */
async function logAddresses(
  { db }: Pick<Deps, 'db'>,
  access: RecordingKey & { accessor: Accessor; issuedAt: Date },
  addresses: ReadonlyMap<string, Pick<SignedUrl, 'expiresAt'>>,
): Promise<void> {
  const accesses = Array.from(addresses, ([transcriptionId, { expiresAt }]) => ({
    ...access,
    transcriptionId,
    expiresAt,
  }))
  await inTransaction(db, async (tx) => {
    // Log before returning the addresses, and check again: deleting the recording meanwhile deletes its transcriptions,
    // too.
    if (!(await hasRecording(tx, access, 'share'))) throw new ServiceError('NOT_FOUND')
    await logDownloads(tx, accesses)
  })
}
