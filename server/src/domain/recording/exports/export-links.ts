import { VIEWER_URL_MAX_SEC } from '@interview-room/contract/limits.ts'
import { EXPORT_CONTENTS, type ExportContent } from '@interview-room/contract/review.ts'
import { inTransaction } from '../../../platform/db/db.ts'
import { ServiceError } from '../../../platform/lib/service-error.ts'
import type { Deps } from '../../../platform/ports/deps.ts'
import type { SignedUrl } from '../../../platform/ports/storage.ts'
import { createSignedTokens } from '../../../platform/service-keys/signed-tokens.ts'
import { type Accessor, logDownloads } from '../recordings/access-log-store.ts'
import { lifeSecOf } from '../recordings/issue-download-url.ts'
import { readRecording } from '../recordings/read-recordings.ts'
import { isReady, type RecordingKey } from '../recordings/recording.ts'

/** The permission to export a recording. */
export interface ExportGrant extends RecordingKey {
  content: ExportContent
  reader: 'staff' | 'watcher'
  /** Tables that are for some viewers only. */
  hasComments: boolean
  hasClips: boolean
}

export interface ExportLinks {
  /**
   * Issues an address and writes a row into the access log. Throws 404 NOT_FOUND, 409 RECORDING_NOT_AVAILABLE.
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
    async issue({ tenantId, recordingId, ...granted }, accessor) {
      const { db, clock } = deps
      const key = { tenantId, recordingId }
      const issuedAt = clock()
      const lifeSec = lifeSecOf({ accessor, expiresInSec: VIEWER_URL_MAX_SEC }, issuedAt)
      const { token, expiresAt } = await tokens.sign(
        { tenant: tenantId, ...granted },
        { subject: recordingId, lifeSec },
      )
      await inTransaction(db, async (tx) => {
        if (!isReady(await readRecording(tx, key))) {
          throw new ServiceError('RECORDING_NOT_AVAILABLE')
        }
        await logDownloads(tx, [{ ...key, accessor, issuedAt, expiresAt }])
      })
      return { url: `${deps.config.publicUrl}/exports/${token}`, expiresAt }
    },

    async grantOf(token) {
      const claims = await tokens.verify(token)
      return {
        tenantId: String(claims['tenant']),
        recordingId: claims.sub,
        content: EXPORT_CONTENTS.find((word) => word === claims['content']) ?? 'all',
        reader: claims['reader'] === 'staff' ? 'staff' : 'watcher',
        hasComments: claims['hasComments'] === true,
        hasClips: claims['hasClips'] === true,
      }
    },
  }
}
