import { CAPABILITIES, type Capabilities } from '@interview-room/contract/capabilities.ts'
import { SignJWT } from 'jose'
import type { VideoGrant } from 'livekit-server-sdk'
import type { Config } from '../../config/config.ts'
import { systemClock } from '../../lib/clock.ts'
import type { MediaGrant } from '../../ports/media.ts'

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
  const video: Omit<VideoGrant, 'canPublishSources'> & { canPublishSources: string[] } = {
    roomJoin: true,
    room: mediaRoom,
    canPublish: canPublishSources.length > 0,
    canPublishSources,
    canSubscribe: true,
    canPublishData: false,
    canUpdateOwnMetadata: false,
    hidden: !can.isVisible,
  }
  const nowSec = systemClock().getTime() / 1000
  const claims = {
    name: displayName,
    metadata: JSON.stringify({ role }),
    video,
    ...(!can.isVisible && { kind: UNCOUNTED_KIND }),
    // In fractions of a second: a media server that refuses the tokens of somebody removed can then
    // take one that was issued right after.
    iat: nowSec,
    nbf: Math.floor(nowSec),
    exp: Math.floor(nowSec) + lifeSec,
  }
  return new SignJWT(claims)
    .setProtectedHeader({ alg: 'HS256' })
    .setIssuer(apiKey)
    .setSubject(identity)
    .sign(new TextEncoder().encode(apiSecret))
}

function sourcesOf(can: Capabilities): string[] {
  return [
    ...(can.canPublishCamera ? ['camera'] : []),
    ...(can.canPublishMicrophone ? ['microphone'] : []),
    ...(can.canShareScreen ? ['screen_share', 'screen_share_audio'] : []),
  ]
}
