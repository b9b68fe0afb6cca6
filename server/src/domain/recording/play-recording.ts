import { VIEWER_URL_MAX_SEC } from '@interview-room/contract/limits.ts'
import type { PlaybackBody } from '@interview-room/contract/review.ts'
import { ServiceError } from '../../platform/lib/service-error.ts'
import type { Deps } from '../../platform/ports/deps.ts'
import type { SignedUrl } from '../../platform/ports/storage.ts'
import { issueClipDownloadUrl } from './clips/issue-download-url.ts'
import { readClip } from './clips/read-clips.ts'
import type { ClipId } from './clips/store.ts'
import { issueProcessedDownloadUrl } from './processed-recordings/issue-download-url.ts'
import { readProcessed } from './processed-recordings/read-processed.ts'
import type { Accessor } from './recordings/access-log-store.ts'
import { issueDownloadUrl } from './recordings/issue-download-url.ts'
import { readRecording } from './recordings/read-recordings.ts'
import { fileTypeOf, type RecordingKey } from './recordings/recording.ts'

/**
 * Issues an address of a recording's file, or of its processed one, for a player. Throws 404 NOT_FOUND, 409
 * RECORDING_NOT_AVAILABLE also for an archive, 409 PROCESSED_RECORDING_NOT_AVAILABLE.
 */
export async function playRecording(
  deps: Pick<Deps, 'db' | 'storage' | 'clock'>,
  key: RecordingKey,
  { accessor, version }: { accessor: Accessor; version: 'recorded' | 'processed' },
): Promise<PlaybackBody> {
  const recording = await readRecording(deps.db, key)
  if (recording.outputMode !== 'composed') throw new ServiceError('RECORDING_NOT_AVAILABLE')
  const request = { accessor, expiresInSec: VIEWER_URL_MAX_SEC, purpose: 'playback' } as const
  const issue = version === 'recorded' ? issueDownloadUrl : issueProcessedDownloadUrl
  const signed = await issue(deps, key, request)
  const file = version === 'recorded' ? recording : await readProcessed(deps.db, key)
  return presentPlayback(signed, file)
}

/** The same for a clip. Throws 404 NOT_FOUND, 409 CLIP_NOT_AVAILABLE. */
export async function playClip(
  deps: Pick<Deps, 'db' | 'storage' | 'clock'>,
  id: ClipId,
  accessor: Accessor,
): Promise<PlaybackBody> {
  const request = { accessor, expiresInSec: VIEWER_URL_MAX_SEC, purpose: 'playback' } as const
  const signed = await issueClipDownloadUrl(deps, id, request)
  return presentPlayback(signed, await readClip(deps.db, id))
}

function presentPlayback(
  { url, expiresAt }: SignedUrl,
  { sizeBytes, durationSec }: { sizeBytes: number | null; durationSec: number | null },
): PlaybackBody {
  return {
    url,
    expires_at: expiresAt.toISOString(),
    mime: fileTypeOf('composed').mime,
    size: sizeBytes,
    duration_sec: durationSec,
  }
}
