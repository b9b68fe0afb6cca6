import { CAPABILITIES, type Capabilities } from '@interview-room/contract/capabilities.ts'
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
  return token.toJwt()
}

function sourcesOf(can: Capabilities): TrackSource[] {
  return [
    ...(can.canPublishCamera ? [TrackSource.CAMERA] : []),
    ...(can.canPublishMicrophone ? [TrackSource.MICROPHONE] : []),
    ...(can.canShareScreen ? [TrackSource.SCREEN_SHARE, TrackSource.SCREEN_SHARE_AUDIO] : []),
  ]
}
