import { CAPABILITIES, type Capabilities } from '@interview-room/contract/capabilities.ts'
import { decodeJwt, SignJWT } from 'jose'
import { AccessToken, TrackSource } from 'livekit-server-sdk'
import type { Config } from '../../config.ts'
import type { MediaGrant } from '../media.ts'

/**
 * livekit-server tells every client the number of participants, within five seconds of each that comes or goes.
 * Hidden ones count; agents do not.
 */
const UNCOUNTED_KIND = 'agent'

/** What a browser joins with. No browser may send data: chat and commands go through the service. */
export async function signJoinToken(
  { apiKey, apiSecret }: Pick<Config['livekit'], 'apiKey' | 'apiSecret'>,
  { mediaRoom, identity, displayName, role, lifeSec }: MediaGrant,
): Promise<string> {
  const can = CAPABILITIES[role]
  const canPublishSources = sourcesOf(can)
  const token = new AccessToken(apiKey, apiSecret, {
    identity,
    name: displayName,
    ttl: lifeSec,
    metadata: JSON.stringify({ role }),
  })
  token.addGrant({
    roomJoin: true,
    room: mediaRoom,
    canPublish: canPublishSources.length > 0,
    canPublishSources,
    canSubscribe: true,
    canPublishData: false,
    canUpdateOwnMetadata: false,
    hidden: !can.isVisible,
  })
  if (!can.isVisible) token.kind = UNCOUNTED_KIND
  return withMoment(await token.toJwt(), apiSecret)
}

/**
 * The token, which tells the moment of its issue in fractions of a second: a media server that refuses the tokens
 * of somebody removed can then take one that was issued right after.
 */
async function withMoment(token: string, secret: string): Promise<string> {
  return new SignJWT({ ...decodeJwt(token), iat: Date.now() / 1000 })
    .setProtectedHeader({ alg: 'HS256' })
    .sign(new TextEncoder().encode(secret))
}

function sourcesOf(can: Capabilities): TrackSource[] {
  return [
    ...(can.canPublishCamera ? [TrackSource.CAMERA] : []),
    ...(can.canPublishMicrophone ? [TrackSource.MICROPHONE] : []),
    ...(can.canShareScreen ? [TrackSource.SCREEN_SHARE, TrackSource.SCREEN_SHARE_AUDIO] : []),
  ]
}
