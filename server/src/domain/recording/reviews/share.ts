import type { ShareBody } from '@interview-room/contract/shares.ts'

/** A link to a recording, a clip or a reel. */
export interface Share {
  id: string
  tenantId: string
  recordingId: string
  /** A clip or a reel; null for all of the recording. */
  clipId: string | null
  isReel: boolean
  /** Its position in the clock of its room. */
  seq: bigint
  may: ShareBody['may']
  /** The viewer who made it, and the id of the token; null for the tenant's backend. */
  viewerReference: string | null
  viewerName: string | null
  viewerTokenId: string | null
  /** The name of the viewer, if it is drawn over every video. */
  watermark: string | null
  /** Null without a password. */
  passwordSalt: Buffer | null
  passwordHash: Buffer | null
  views: number
  lastViewedAt: Date | null
  expiresAt: Date
  revokedAt: Date | null
  createdAt: Date
}
