import type { ViewerAbility } from '@interview-room/contract/reviews.ts'

/** Somebody whom a tenant lets see recordings. */
export interface Viewer {
  tenantId: string
  /** The tenant's own name of the person. */
  reference: string
  displayName: string
  /** One recording, or all of a room. */
  scope: { recordingId: string } | { roomId: string }
  may: readonly ViewerAbility[]
  jti: string
}
