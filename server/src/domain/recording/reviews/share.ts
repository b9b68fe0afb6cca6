import type { ShareBody } from '@interview-room/contract/shares.ts'

/** A link to a recording or a clip. */
export interface Share {
  id: string
  tenantId: string
  recordingId: string
  /** Null for all of the recording. */
  clipId: string | null
  /** Its position in the clock of its room. */
  seq: bigint
  may: ShareBody['may']
  /** The viewer who made it, and the id of the token; null for the tenant's backend. */
  viewerReference: string | null
  viewerName: string | null
  viewerTokenId: string | null
  /** Null without a password. */
  passwordSalt: Buffer | null
  passwordHash: Buffer | null
  views: number
  lastViewedAt: Date | null
  expiresAt: Date
  revokedAt: Date | null
  createdAt: Date
}
