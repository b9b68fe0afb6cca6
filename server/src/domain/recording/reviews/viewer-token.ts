import { displayNameOf } from '@interview-room/contract/display-name.ts'
import {
  EXTERNAL_REF_MAX,
  VIEWER_TOKEN_ID_MAX,
  VIEWER_TOKEN_MAX_LIFE_SEC,
} from '@interview-room/contract/limits.ts'
import { VIEWER_ABILITIES, type ViewerAbility } from '@interview-room/contract/reviews.ts'
import type { JsonValue } from '../../../platform/lib/strict-json.ts'
import { isUuid, toLowerCaseId } from '../../../platform/lib/uuid.ts'
import type { Deps } from '../../../platform/ports/deps.ts'
import { bearerOf } from '../../../platform/service-keys/signed-tokens.ts'
import { createShortCache } from '../../../platform/tenants/short-cache.ts'
import {
  isReference,
  readTenantToken,
  refuseMisfit,
  type TenantTokenVerification,
  type TokenClaims,
} from '../../people/tenant-token.ts'
import { refusalOfToken, refuseToken } from '../../people/token-refusal.ts'
import { createReviewLinks } from './review-links.ts'
import { isShareOpen } from './share-store.ts'
import { isRevoked } from './store.ts'
import type { Viewer } from './viewer.ts'

const REVIEW = {
  types: ['review+jwt'],
  typeWords: 'typ is not review+jwt',
  lifeMaxSec: VIEWER_TOKEN_MAX_LIFE_SEC,
} as const
const TOKEN_ID = new RegExp(`^[\\x21-\\x7e]{1,${VIEWER_TOKEN_ID_MAX}}$`)

/** Reasons for refusing a viewer token, in addition to those for any token. Only for the log. */
const REFUSALS = {
  VIEWER_INVALID: `sub is not a text of 1 to ${EXTERNAL_REF_MAX} characters`,
  SCOPE_INVALID: 'there is not one id of a recording or a room in recording_id or room_id',
  ABILITIES_INVALID: `may is not a list of ${VIEWER_ABILITIES.join(', ')}`,
  WATERMARK_INVALID: 'watermark is neither true nor false, or there is download beside it',
  ABILITY_MISSING: 'the token does not allow what is asked for',
  TOKEN_REVOKED: 'the token is revoked',
} as const

export type ViewerTokenVerifier = (
  authorization: string | undefined,
  ability: ViewerAbility,
) => Promise<Viewer>

/**
 * Reads the viewer from the Authorization header. Throws the same 401 UNAUTHORIZED for every fault, and 503
 * SERVICE_UNAVAILABLE when the tenant's own keys are unreachable. A revocation takes effect within a second.
 */
export function createViewerTokens(
  deps: Pick<Deps, 'db' | 'clock' | 'config' | 'tokenKeys' | 'serviceKeys'>,
): ViewerTokenVerifier {
  const { db, clock, config, tokenKeys } = deps
  const links = createReviewLinks(deps)
  const findCached = createShortCache<boolean>({ clock })

  async function viewerOf(token: string): Promise<Viewer> {
    const linked = await links.viewerOf(token)
    if (linked !== undefined) return linked
    return verifyViewerToken({
      token,
      audience: config.publicUrl,
      leewaySec: config.tokenLeewaySec,
      now: clock(),
      findKey: (key) => tokenKeys.find(key),
    })
  }

  async function hasEnded({ tenantId, jti, shareId }: Viewer): Promise<boolean> {
    if (await isRevoked(db, { tenantId, jti })) return true
    return shareId !== null && !(await isShareOpen(db, { tenantId, shareId }, clock()))
  }

  return async (authorization, ability) => {
    const viewer = await viewerOf(bearerOf(authorization))
    if (!viewer.may.includes(ability)) throw refuseViewer('ABILITY_MISSING')
    const name = `${viewer.tenantId} ${viewer.jti}`
    if (await findCached(name, () => hasEnded(viewer))) throw refuseViewer('TOKEN_REVOKED')
    return viewer
  }
}

async function verifyViewerToken(verification: TenantTokenVerification): Promise<Viewer> {
  const { key, claims } = await readTenantToken(verification, REVIEW)
  refuseMisfit(claims, verification, REVIEW)
  const { sub, jti, may, watermark = false } = claims
  const displayName = displayNameOf(claims['name'])
  if (displayName === undefined) throw refuseToken('NAME_INVALID')
  if (!isReference(sub)) throw refuseViewer('VIEWER_INVALID')
  if (typeof jti !== 'string' || !TOKEN_ID.test(jti)) {
    throw refuseToken('JTI_INVALID', `jti is not 1 to ${VIEWER_TOKEN_ID_MAX} visible characters`)
  }
  const scope = scopeOf(claims)
  if (scope === undefined) throw refuseViewer('SCOPE_INVALID')
  if (!isAbilities(may)) throw refuseViewer('ABILITIES_INVALID')
  if (typeof watermark !== 'boolean' || (watermark && may.includes('download'))) {
    throw refuseViewer('WATERMARK_INVALID')
  }
  const expiresAt = new Date(Number(claims['exp']) * 1000)
  const { tenantId } = key
  const viewer = { tenantId, reference: sub, displayName, scope, may, jti, expiresAt }
  return { ...viewer, watermark: watermark ? displayName : null, shareId: null }
}

function scopeOf({
  recording_id: recording,
  room_id: room,
}: TokenClaims): Viewer['scope'] | undefined {
  if (room === undefined && isId(recording)) return { recordingId: toLowerCaseId(recording) }
  if (recording === undefined && isId(room)) return { roomId: toLowerCaseId(room) }
  return undefined
}

function isId(value: JsonValue | undefined): value is string {
  return typeof value === 'string' && isUuid(value)
}

function isAbilities(value: JsonValue | undefined): value is ViewerAbility[] {
  if (!Array.isArray(value) || value.length === 0) return false
  return value.every((each) => VIEWER_ABILITIES.some((ability) => ability === each))
}

function refuseViewer(reasonCode: keyof typeof REFUSALS) {
  return refusalOfToken(reasonCode, REFUSALS[reasonCode])
}
