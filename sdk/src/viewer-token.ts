import type { ViewerAbility } from '@interview-room/contract/reviews.ts'
import { signTenantToken, type TenantTokenOptions } from './tenant-token.ts'

/** For one recording, or for all recordings of a room. */
export type ViewerTokenOptions = TenantTokenOptions &
  ({ recordingId: string } | { roomId: string }) & {
    /** Your reference to the person, 1 to 64 characters. */
    reference: string
    may: readonly ViewerAbility[]
    /** Draws the name over every video. Not beside `download`. */
    watermark?: boolean
    /** Id of the token, with which it can be revoked. Random if omitted. */
    jti?: string
    /** Seconds from now, at most 2,592,000 (30 days). The default is a day. */
    expiresInSec?: number
  }

const LIFE_SEC = 86_400
const LIFE_MAX_SEC = 2_592_000

/**
 * Signs a viewer token (docs/viewer-tokens.md), which lets one person see recordings. Use it as `authorization` of a
 * client: `Bearer <token>`. Throws RangeError for a name, a life or a watermark that the service would refuse with a bare 401.
 */
export async function signViewerToken(options: ViewerTokenOptions): Promise<string> {
  const { reference, may, jti = crypto.randomUUID(), expiresInSec = LIFE_SEC } = options
  const mark = options.watermark === undefined ? {} : { watermark: options.watermark }
  if (options.watermark === true && may.includes('download')) {
    throw new RangeError('may must not have download beside watermark')
  }
  const scope =
    'recordingId' in options ? { recording_id: options.recordingId } : { room_id: options.roomId }
  return signTenantToken(options, {
    type: 'review+jwt',
    claims: { sub: reference, jti, may: [...may], ...mark, ...scope },
    expiresInSec,
    lifeMaxSec: LIFE_MAX_SEC,
  })
}
