import type { ViewerAbility } from '@interview-room/contract/reviews.ts'

/** A person whom the tenant allows to see recordings. */
export interface Viewer {
  tenantId: string
  /** The tenant's own reference of the person. */
  reference: string
  displayName: string
  /** One recording, one clip of it, or all recordings of a room. */
  scope: { recordingId: string; clipId?: string } | { roomId: string }
  may: readonly ViewerAbility[]
  jti: string
  /** When the token expires. */
  expiresAt: Date
  /** The link that somebody opened; null for a token of the tenant. */
  shareId: string | null
}
