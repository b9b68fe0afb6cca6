import { VIEWER_URL_MAX_SEC } from '@interview-room/contract/limits.ts'
import { EXPORT_CONTENTS, type ExportContent } from '@interview-room/contract/review.ts'
import {
  SPEAKER_LABELS,
  type SpeakerLabel,
  TRANSCRIPT_FORMATS,
  type TranscriptFormat,
} from '@interview-room/contract/transcripts.ts'
import { inTransaction, type Query } from '../../../platform/db/db.ts'
import { ServiceError } from '../../../platform/lib/service-error.ts'
import type { Deps } from '../../../platform/ports/deps.ts'
import type { SignedUrl } from '../../../platform/ports/storage.ts'
import { createSignedTokens } from '../../../platform/service-keys/signed-tokens.ts'
import { type Accessor, logDownloads } from '../recordings/access-log-store.ts'
import { lifeSecOf } from '../recordings/issue-download-url.ts'
import { readRecording } from '../recordings/read-recordings.ts'
import { isReady, type RecordingKey } from '../recordings/recording.ts'
import { findRevision } from '../transcriptions/revision-store.ts'

/** The permission to export a recording. */
export interface RecordingGrant extends RecordingKey {
  content: ExportContent
  reader: 'staff' | 'watcher'
  /** Tables that are for some viewers only. */
  hasComments: boolean
  hasClips: boolean
}

/** The permission to export a transcript of a recording. */
export interface TranscriptGrant extends RecordingKey {
  transcriptionId: string
  format: TranscriptFormat
  speakers: SpeakerLabel
}

type ExportGrant = RecordingGrant | TranscriptGrant

export interface ExportLinks {
  /**
   * Issues an address and writes a row into the access log. Throws 404 NOT_FOUND, also without a transcript, and 409
   * RECORDING_NOT_AVAILABLE.
   */
  issue(grant: ExportGrant, accessor: Accessor): Promise<SignedUrl>
  /** Throws 401 UNAUTHORIZED unless the address was issued and still works. */
  grantOf(token: string): Promise<ExportGrant>
}

/** Addresses of exports. They are the permission, like those of files. */
export function createExportLinks(
  deps: Pick<Deps, 'db' | 'clock' | 'serviceKeys' | 'config'>,
): ExportLinks {
  const tokens = createSignedTokens(deps, 'export+jwt')
  return {
    async issue(grant, accessor) {
      const { db, clock } = deps
      const { tenantId, recordingId, ...granted } = grant
      const key = { tenantId, recordingId }
      const issuedAt = clock()
      const lifeSec = lifeSecOf({ accessor, expiresInSec: VIEWER_URL_MAX_SEC }, issuedAt)
      const { token, expiresAt } = await tokens.sign(
        { tenant: tenantId, ...granted },
        { subject: recordingId, lifeSec },
      )
      await inTransaction(db, async (tx) => {
        await refuseUnlessThere(tx, grant)
        const made = 'format' in grant ? { transcriptionId: grant.transcriptionId } : {}
        await logDownloads(tx, [{ ...key, ...made, accessor, issuedAt, expiresAt }])
      })
      return { url: `${deps.config.publicUrl}/exports/${token}`, expiresAt }
    },

    async grantOf(token) {
      const claims = await tokens.verify(token)
      const key = { tenantId: String(claims['tenant']), recordingId: claims.sub }
      const { transcriptionId } = claims
      if (typeof transcriptionId === 'string') {
        return {
          ...key,
          transcriptionId,
          format: TRANSCRIPT_FORMATS.find((word) => word === claims['format']) ?? 'vtt',
          speakers: SPEAKER_LABELS.find((word) => word === claims['speakers']) ?? 'role',
        }
      }
      return {
        ...key,
        content: EXPORT_CONTENTS.find((word) => word === claims['content']) ?? 'all',
        reader: claims['reader'] === 'staff' ? 'staff' : 'watcher',
        hasComments: claims['hasComments'] === true,
        hasClips: claims['hasClips'] === true,
      }
    },
  }
}

/** Throws 404 NOT_FOUND, 409 RECORDING_NOT_AVAILABLE. */
async function refuseUnlessThere(query: Query, grant: ExportGrant): Promise<void> {
  if ('format' in grant) {
    if ((await findRevision(query, grant)) === undefined) throw new ServiceError('NOT_FOUND')
  } else if (!isReady(await readRecording(query, grant))) {
    throw new ServiceError('RECORDING_NOT_AVAILABLE')
  }
}
