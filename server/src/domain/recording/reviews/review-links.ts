import { VIEWER_ABILITIES } from '@interview-room/contract/reviews.ts'
import { uuidv7 } from '../../../platform/lib/uuid.ts'
import type { Deps } from '../../../platform/ports/deps.ts'
import { createSignedTokens, isOfType } from '../../../platform/service-keys/signed-tokens.ts'
import type { Viewer } from './viewer.ts'

const TYPE = 'review-link+jwt'

interface ReviewLink {
  token: string
  /** The page that it opens. */
  url: string
  jti: string
  expiresAt: Date
}

export interface ReviewLinks {
  /** Signs a viewer token for somebody to whom the tenant's backend gave none. */
  issue(viewer: Omit<Viewer, 'jti' | 'expiresAt'>, lifeSec: number): Promise<ReviewLink>
  /** The viewer of such a token, or undefined for a token of another kind. Throws 401 UNAUTHORIZED. */
  viewerOf(token: string): Promise<Viewer | undefined>
}

/** Viewer tokens that the service signs itself. */
export function createReviewLinks(
  deps: Pick<Deps, 'serviceKeys' | 'clock' | 'config'>,
): ReviewLinks {
  const tokens = createSignedTokens(deps, TYPE)
  return {
    async issue({ tenantId, reference, displayName, scope, may, watermark, shareId }, lifeSec) {
      const jti = uuidv7(deps.clock().getTime())
      const claims = {
        tenant: tenantId,
        name: displayName,
        scope: { ...scope },
        may,
        watermark,
        share: shareId,
      }
      const { token, expiresAt } = await tokens.sign(
        { ...claims, jti },
        { subject: reference, lifeSec },
      )
      const url = `${deps.config.publicUrl}${pageOf(scope)}#token=${token}`
      return { token, url, jti, expiresAt }
    },

    async viewerOf(token) {
      if (!isOfType(token, TYPE)) return undefined
      const { sub, exp, jti, ...claims } = await tokens.verify(token)
      const may = claims['may'] as string[]
      return {
        tenantId: String(claims['tenant']),
        reference: sub,
        displayName: String(claims['name']),
        scope: claims['scope'] as Viewer['scope'],
        may: VIEWER_ABILITIES.filter((ability) => may.includes(ability)),
        // Links of the release before have none.
        watermark: (claims['watermark'] as string | null | undefined) ?? null,
        jti: jti ?? '',
        expiresAt: new Date(exp * 1000),
        shareId: (claims['share'] as string | null) ?? null,
      }
    },
  }
}

function pageOf(scope: Viewer['scope']): string {
  return 'roomId' in scope ? `/v/rooms/${scope.roomId}` : `/v/${scope.recordingId}`
}
