import type { ViewerAbility } from '@interview-room/contract/reviews.ts'

/** A person whom the tenant allows to see recordings. */
export interface Viewer {
  tenantId: string
  /** The tenant's own reference of the person. */
  reference: string
  displayName: string
  /** One recording, one clip or reel of it, or all recordings of a room. */
  scope: { recordingId: string; clipId?: string; isReel?: boolean } | { roomId: string }
  may: readonly ViewerAbility[]
  /** The name that is drawn over every video. */
  watermark: string | null
  jti: string
  /** When the token expires. */
  expiresAt: Date
  /** The link that somebody opened; null for a token of the tenant. */
  shareId: string | null
}
